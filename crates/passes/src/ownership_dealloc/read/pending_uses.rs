//! Memory that is used for longer than the operation that uses it: until something waits.

use super::{OwnershipReader, Start, describe};
use memplan_mlir::ir::{Identity, Key, Op, Val, operands, parent_block, results, type_of};
use memplan_ownership::{
    function::{Kind, SegmentId, StepIndex, ValueId},
    order::Order,
};
use memplan_semantics::{Join, OpMemory, TokenRef, TypeClass};
use memplan_summaries::Pending;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Where what is inside of an operation starts.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub segment: SegmentId,
    pub value: ValueId,
    /// How many uses of what holds on to memory come before.
    pub uses: usize,
}

impl<'c> OwnershipReader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for, or it is never known to end.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, inside: Inside, next: SegmentId) {
        let function = &self.reading.memory.function;
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

    /// What `op` uses is used until control has waited for it. False if that is not seen.
    pub(super) fn held_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.carry(op, results(op), used);
        let is_over = self.pending().until(op).is_some();
        if is_over {
            self.held.push((op, used.into()));
        } else {
            self.escapes.extend(used.iter().map(|value| (*value, op)));
        }
        is_over
    }

    /// The asynchronous operations of the function.
    fn pending(&mut self) -> &Pending<'c> {
        let graph = self.reading.memory.graph();
        let semantics = &mut *self.semantics;
        let pending = self.pending.get_or_insert_with(|| {
            let pending = Pending::of(&graph, semantics, describe);
            (pending, graph)
        });
        &pending.0
    }

    /// When all has been read: what asynchronous operations use is used by the operations that wait for them.
    pub(super) fn settle_held(&mut self) {
        let Some((pending, graph)) = self.pending.take() else {
            return;
        };
        let held = std::mem::take(&mut self.held);
        let order = Order::of(&self.reading.memory.function);
        let waits = held.iter().filter_map(|(op, _)| pending.until(*op));
        let waits = waits.flat_map(|until| until.waits.iter().map(|op| op.key()));
        let places = self.places(&waits.collect());
        for (op, used) in held {
            let Some(until) = pending.until(op) else {
                continue;
            };
            let waits = until
                .waits
                .iter()
                .map(|wait| places.get(&wait.key()).copied());
            let waits: Option<Vec<(SegmentId, StepIndex)>> = waits.collect();
            let entered = until.entered.iter();
            let entered: FxHashSet<Key> = entered
                .map(|block| graph.blocks[block].block.key())
                .collect();
            for value in used {
                // What is made anew meanwhile is other memory at the wait.
                let is_same = self
                    .block_of(value)
                    .is_some_and(|block| !entered.contains(&block));
                match &waits {
                    Some(waits) if is_same && self.are_in_sight(&order, value, waits) => {
                        for (segment, step) in waits {
                            self.uses(*segment, *step, value);
                        }
                    }
                    _ => self.escapes.push((value, op)),
                }
            }
        }
    }

    /// Where operations stand.
    pub(super) fn places(&self, of: &FxHashSet<Key>) -> FxHashMap<Key, (SegmentId, StepIndex)> {
        let mut places = FxHashMap::default();
        for (segment, steps) in self.reading.memory.steps.iter().enumerate() {
            for (step, op) in (0..).zip(steps) {
                if of.contains(&op.key()) {
                    places.insert(op.key(), (SegmentId::new(segment), step));
                }
            }
        }
        places
    }

    /// The block that a value comes into being in.
    fn block_of(&self, value: ValueId) -> Option<Key> {
        let segment = self.reading.memory.function.value(value).segment;
        match self.reading.memory.starts[segment.index()] {
            Start::Block(block) => Some(block.key()),
            Start::Behind(op) | Start::Between(op) => parent_block(op).map(|block| block.key()),
        }
    }

    /// Can a value be named at all these steps?
    fn are_in_sight(
        &self,
        order: &Order,
        value: ValueId,
        steps: &[(SegmentId, StepIndex)],
    ) -> bool {
        let function = &self.reading.memory.function;
        let made = function.value(value);
        steps.iter().all(|(segment, step)| {
            made.segment == *segment && made.step < Some(*step)
                || order.is_visible(function, value, *segment)
        })
    }

    /// The group that an operation adds to.
    pub(super) fn group(&mut self, op: Op<'c>) -> Option<Val<'c>> {
        let is_async_group = |val: Val<'c>| self.semantics.class(type_of(val)) == TypeClass::Group;
        if !operands(op).any(is_async_group) {
            return None;
        }
        let memory = self.semantics.of(op);
        added_to(op, &memory)
    }
}

/// The group that an operation adds to.
pub(super) fn added_to<'c>(op: Op<'c>, memory: &OpMemory) -> Option<Val<'c>> {
    memory.joins.iter().find_map(|join| match join {
        Join::After {
            to: TokenRef::Operand(at),
            ..
        } => operands(op).nth(*at as usize),
        _ => None,
    })
}
