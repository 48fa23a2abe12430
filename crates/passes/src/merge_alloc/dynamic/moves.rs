//! Operations that may execute earlier than in the program.

use memplan_mlir::{
    copy::integer_width,
    ir::{Op, Val, operands, type_of},
};
use memplan_semantics::speculation::{Divisor, divisor, is_safe_to_speculate};

/// Whether an operation may execute earlier. A division may, with another divisor where it is undefined.
pub fn may_move(op: Op<'_>) -> bool {
    is_safe_to_speculate(op) || guarded(op).is_some()
}

/// The index and value of the divisor of an integer division that may be undefined if it is speculated.
pub fn guarded<'c>(op: Op<'c>) -> Option<(Divisor, Val<'c>)> {
    let by = divisor(op).filter(|_| !is_safe_to_speculate(op))?;
    let value = operands(op).nth(by.operand as usize)?;
    integer_width(type_of(value)).map(|_| (by, value))
}
