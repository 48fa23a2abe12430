//! What may be computed earlier than the program does.

use memplan_mlir::{
    copy::integer_width,
    ir::{Op, Val, operands, type_of},
};
use memplan_semantics::speculation::{Divisor, divisor, is_safe_to_speculate};

/// May the operation run earlier than it does? A division may, with another divisor where it is not defined.
pub fn may_move(op: Op<'_>) -> bool {
    is_safe_to_speculate(op) || guarded(op).is_some()
}

/// The divisor of a division of integers that is perhaps not defined where it would run: its number, and it.
pub fn guarded<'c>(op: Op<'c>) -> Option<(Divisor, Val<'c>)> {
    let by = divisor(op).filter(|_| !is_safe_to_speculate(op))?;
    let value = operands(op).nth(by.operand as usize)?;
    integer_width(type_of(value)).map(|_| (by, value))
}
