//! Moves operations within their block.

use memplan_mlir::{
    ir::{Identity, Op, next_in_block},
    values::move_before,
};

/// Moves operations of a block before its last one, in this order.
pub fn write<'c>(ops: impl DoubleEndedIterator<Item = Op<'c>>, last: Op<'c>) {
    let mut next = last;
    for op in ops.rev() {
        if next_in_block(op).is_none_or(|after| after.key() != next.key()) {
            move_before(op, next);
        }
        next = op;
    }
}
