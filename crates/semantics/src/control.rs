//! Where control goes between an operation and its regions, as far as it is known.

use crate::{semantics::Semantics, statement::Statement};
use memplan_mlir::{
    flow,
    ir::{Op, blocks, regions, terminator},
    melior::ir::operation::OperationLike,
};

impl Semantics {
    /// Does `op` end a block that control never leaves?
    pub fn is_never_left(&mut self, op: Op<'_>) -> bool {
        let row = self.facts(op).row.unwrap_or_default();
        row.iter().any(|say| matches!(say, Statement::NeverLeft))
    }

    /// Are all paths into, between and out of the regions of `op` known? Each block then ends in a branch, in a
    /// terminator that says where control goes, or is never left.
    pub fn paths_are_known(&mut self, op: Op<'_>) -> bool {
        let ends = regions(op).flat_map(blocks).all(|block| {
            terminator(block).is_some_and(|last| {
                last.successor_count() > 0
                    || self.is_never_left(last)
                    || (self.info(last).is_region_terminator()
                        && flow::terminator_edges(last).is_some())
            })
        });
        ends && flow::entry_edges(op).is_some()
    }
}
