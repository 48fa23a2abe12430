//! Moves operations within their block.

use memplan_mlir::{
    ir::{Identity, Op, next_in_block},
    values::move_before,
};

/// Puts operations of a block in this order in front of its last one.
pub fn write<'c>(ops: impl DoubleEndedIterator<Item = Op<'c>>, last: Op<'c>) {
    let mut behind = last;
    for op in ops.rev() {
        if next_in_block(op).is_none_or(|next| next.key() != behind.key()) {
            move_before(op, behind);
        }
        behind = op;
    }
}
