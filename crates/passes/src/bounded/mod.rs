//! What the passes for bounded programs share: numbers that can be worked out, loops whose turns can be
//! counted, and how large a program becomes.

pub mod branches;
pub mod constants;
pub mod loops;
pub mod size;
pub mod sized;

use memplan_mlir::{
    build::BuildError,
    diagnostics,
    ir::Op,
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed},
};

/// On a loop that moves memory: it is one step of the layout, and none of the program.
pub const MOVE: &str = "memplan.move";

/// An error of a pass that is no fault of the program.
pub fn fail(function: Op<'_>, declaration: &Declaration, error: &BuildError) -> Failed {
    let message = format!("{}: {error}", declaration.argument);
    diagnostics::error(function.location(), message).emit();
    Failed
}
