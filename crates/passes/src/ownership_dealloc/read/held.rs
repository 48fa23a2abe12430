//! Memory that is used for longer than the operation that uses it: until something waits.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Key, Op, Val, next_in_block, operands, parent_block, results, users},
    names::{Known, NameInfo},
    rules::waits,
};
use memplan_ownership::function::{Kind, SegmentId, ValueId};
use smallvec::SmallVec;

/// Where what is inside of an operation starts.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub segment: SegmentId,
    pub value: ValueId,
    /// How many uses of what holds on to memory come before.
    pub uses: usize,
}

impl<'c> Reader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, inside: Inside, next: SegmentId) {
        let function = &self.reading.function;
        let mut used: SmallVec<[ValueId; 2]> = SmallVec::new();
        let mut note = |value: ValueId| {
            if function.value(value).segment < inside.segment && !used.contains(&value) {
                used.push(value);
            }
        };
        for segment in &function.segments[inside.segment.index()..] {
            segment.uses.iter().for_each(|(_, value)| note(*value));
            for edge in &segment.edges {
                let passed = function.edge(*edge).passed.iter();
                passed.flatten().for_each(|value| note(*value));
            }
        }
        for value in &function.values[inside.value.index()..] {
            if let Kind::Any(sources) | Kind::Told(sources) = &value.kind {
                sources.iter().for_each(|value| note(*value));
            }
        }
        self.expose_all(&used);
        let waits = self.held_until_awaited(op, &used);
        self.carry_from_inside(op, inside, next, waits);
    }

    /// What `op` uses is used until its results have been waited for. False if that is not seen.
    pub(super) fn held_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.carry(op, results(op), used);
        let here = parent_block(op).map(|block| block.key());
        let waits = results(op).flat_map(users).any(|user| {
            let info = self.names.info(user);
            parent_block(user).map(|block| block.key()) == here && self.is_wait(user, info)
        }) || results(op).any(|result| self.is_waited_for_in_group(result, here));
        if !waits {
            for value in used {
                self.escapes.push((*value, op));
            }
        }
        waits
    }

    /// Is a token added to a group, and are all waited for in one block? The group is made, added to and
    /// waited for there, so all can be named there.
    fn is_waited_for_in_group(&mut self, token: Val<'c>, here: Option<Key>) -> bool {
        users(token).any(|user| {
            let Some(group) = self.group(user) else {
                return false;
            };
            let is_here = |user: Op<'c>| parent_block(user).map(|block| block.key()) == here;
            users(group).all(is_here)
                && std::iter::successors(next_in_block(user), |op| next_in_block(*op)).any(|op| {
                    self.names.info(op).known == Known::AsyncAwaitAll
                        && operands(op).any(|operand| operand == group)
                })
        })
    }

    /// The group that an operation adds to.
    pub(super) fn group(&mut self, op: Op<'c>) -> Option<Val<'c>> {
        let adds = self.names.info(op).known == Known::AsyncAddToGroup;
        adds.then(|| operands(op).nth(1)).flatten()
    }

    /// Does an operation wait for what its operands stand for?
    pub(super) fn is_wait(&self, op: Op<'c>, info: NameInfo) -> bool {
        matches!(
            info.known,
            Known::AsyncAwait | Known::AsyncAwaitAll | Known::GpuWait
        ) || (info.is_ruled && waits(op))
    }
}
