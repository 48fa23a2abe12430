//! Memory that is used for longer than the operation that uses it: until something waits.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Op, is_memref, parent_block, results, type_of, users},
    names::Known,
};
use memplan_ownership::function::{Kind, SegmentId, Step, ValueId};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, first: usize, next: SegmentId) {
        let mut used: SmallVec<[ValueId; 2]> = SmallVec::new();
        for segment in &self.reading.function.segments[first..] {
            for (_, value) in &segment.uses {
                let is_outer = self.reading.function.values[value.index()].segment.index() < first;
                if is_outer && !used.contains(value) {
                    used.push(*value);
                }
            }
        }
        self.held_until_awaited(op, &used, next, None);
    }

    pub(super) fn held_until_awaited(
        &mut self,
        op: Op<'c>,
        used: &[ValueId],
        segment: SegmentId,
        step: Option<Step>,
    ) {
        if used.is_empty() {
            return;
        }
        let mut waits = false;
        for result in results(op).filter(|result| !is_memref(type_of(*result))) {
            let here = |user: Op<'c>| {
                parent_block(user).map(|block| block.key())
                    == parent_block(op).map(|block| block.key())
            };
            for user in users(result) {
                let known = self.names.info(user).known;
                waits |= here(user) && matches!(known, Known::AsyncAwait | Known::GpuWait);
            }
            self.value(
                Kind::Any(used.iter().copied().collect()),
                segment,
                step,
                Some(result),
            );
        }
        if !waits {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
    }
}
