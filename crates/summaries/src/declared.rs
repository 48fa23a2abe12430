//! What functions say of themselves by attributes.

use memplan_mlir::{ir::Op, symbols};

/// On a function without a body: it never calls back into the module.
pub const NO_CALLBACK: &str = "memplan.nocallback";

/// On a memref result of a function without a body: it is new memory, which the caller frees, and no argument's.
pub const OWNED: &str = "memplan.owned";

/// Does a function say of a result that it is new memory?
pub fn is_owned(function: Op<'_>, result: usize) -> bool {
    symbols::has_result_mark(function, result, OWNED)
}
