//! What may be computed earlier than the program does.

use memplan_mlir::{
    ir::Op,
    names::{Known, Names},
};
use memplan_semantics::speculation::is_safe_to_speculate;

/// May the operation run earlier than it does? A division may, with a divisor that is not zero.
pub fn may_move(op: Op<'_>, names: &mut Names) -> bool {
    is_safe_to_speculate(op) || is_division(names.info(op).known)
}

/// Divisions that are defined but for a divisor of zero, and overflow.
pub const fn is_division(known: Known) -> bool {
    is_signed_division(known) || matches!(known, Known::DivUI | Known::CeilDivUI | Known::RemUI)
}

/// Those that may overflow too.
pub const fn is_signed_division(known: Known) -> bool {
    matches!(
        known,
        Known::DivSI | Known::CeilDivSI | Known::FloorDivSI | Known::RemSI
    )
}
