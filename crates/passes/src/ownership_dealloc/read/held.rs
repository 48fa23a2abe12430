//! Memory that is used for longer than the operation that uses it: until something waits.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Op, parent_block, results, users},
    names::{Known, NameInfo},
};
use memplan_ownership::function::{SegmentId, ValueId};
use smallvec::SmallVec;

impl<'c> Reader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end. Its segments are those from `first` on.
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
        let waits = self.held_until_awaited(op, &used);
        self.carry_from_inside(op, SegmentId::new(first), next, waits);
    }

    /// What `op` uses is used until its results have been waited for. False if that is not seen.
    pub(super) fn held_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.carry(op, results(op), used);
        let here = parent_block(op).map(|block| block.key());
        let waits = results(op).flat_map(users).any(|user| {
            let info = self.names.info(user);
            parent_block(user).map(|block| block.key()) == here && self.is_wait(info)
        });
        if !waits {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
        waits
    }

    /// Does an operation wait for what its operands stand for?
    pub(super) fn is_wait(&self, info: NameInfo) -> bool {
        matches!(info.known, Known::AsyncAwait | Known::GpuWait)
    }
}
