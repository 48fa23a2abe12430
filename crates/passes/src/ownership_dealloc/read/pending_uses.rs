//! Memory that an asynchronous operation uses until it is awaited.

use super::{OwnershipReader, SegmentStart, describe};
use memplan_mlir::ir::{Identity, Key, Op, Val, operands, parent_block, results, type_of};
use memplan_ownership::{
    function::{SegmentId, StepIndex, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_semantics::{Join, OpMemory, TokenRef, TypeClass};
use memplan_summaries::Pending;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The numbers of the first segment, value and pointer use inside an operation.
#[derive(Clone, Copy)]
pub(super) struct RegionStart {
    pub segment: SegmentId,
    pub value: ValueId,
    /// The number of uses of pointers before it.
    pub uses: usize,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Reads an asynchronous operation: it uses memory until it is awaited, or forever.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, inside: RegionStart, next: SegmentId) {
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
            if let ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) = &value.kind {
                sources.iter().for_each(|value| note(*value));
            }
        }
        self.expose_all(&used);
        let waits = self.use_until_awaited(op, &used);
        self.derive_from_regions(op, inside, next, waits);
    }

    /// The operands of `op` are used until it is awaited. False if that is not seen.
    pub(super) fn use_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.derive_results(op, results(op), used);
        let is_over = self.pending().until(op).is_some();
        if is_over {
            self.pending_uses.push((op, used.into()));
        } else {
            self.escapes.extend(used.iter().map(|value| (*value, op)));
        }
        is_over
    }

    /// The live ranges of the function's asynchronous operations.
    fn pending(&mut self) -> &Pending<'c> {
        let graph = self.reading.memory.graph();
        let semantics = &mut *self.semantics;
        let pending = self.pending.get_or_insert_with(|| {
            let pending = Pending::of(&graph, semantics, describe);
            (pending, graph)
        });
        &pending.0
    }

    /// After the walk: adds uses by the operations that await asynchronous ones.
    pub(super) fn settle_pending_uses(&mut self) {
        let Some((pending, graph)) = self.pending.take() else {
            return;
        };
        let uses = std::mem::take(&mut self.pending_uses);
        let order = SegmentOrder::of(&self.reading.memory.function);
        let waits = uses.iter().filter_map(|(op, _)| pending.until(*op));
        let waits = waits.flat_map(|until| until.waits.iter().map(|op| op.key()));
        let places = self.positions(&waits.collect());
        for (op, used) in uses {
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
                // A value that is defined again meanwhile is other memory at the await.
                let is_same = self
                    .block_of(value)
                    .is_some_and(|block| !entered.contains(&block));
                match &waits {
                    Some(waits) if is_same && self.is_visible_at(&order, value, waits) => {
                        for (segment, step) in waits {
                            self.add_use(*segment, *step, value);
                        }
                    }
                    _ => self.escapes.push((value, op)),
                }
            }
        }
    }

    /// The positions of operations.
    pub(super) fn positions(&self, of: &FxHashSet<Key>) -> FxHashMap<Key, (SegmentId, StepIndex)> {
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

    /// The block that defines a value.
    fn block_of(&self, value: ValueId) -> Option<Key> {
        let segment = self.reading.memory.function.value(value).segment;
        match self.reading.memory.starts[segment.index()] {
            SegmentStart::Block(block) => Some(block.key()),
            SegmentStart::After(op) | SegmentStart::Between(op) => {
                parent_block(op).map(|block| block.key())
            }
        }
    }

    /// Whether a value is visible at all these steps.
    fn is_visible_at(
        &self,
        order: &SegmentOrder,
        value: ValueId,
        steps: &[(SegmentId, StepIndex)],
    ) -> bool {
        let function = &self.reading.memory.function;
        let fact = function.value(value);
        steps.iter().all(|(segment, step)| {
            fact.segment == *segment && fact.step < Some(*step)
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
        group_added_to(op, &memory)
    }
}

/// The group that an operation adds to.
pub(super) fn group_added_to<'c>(op: Op<'c>, memory: &OpMemory) -> Option<Val<'c>> {
    memory.joins.iter().find_map(|join| match join {
        Join::After {
            to: TokenRef::Operand(at),
            ..
        } => operands(op).nth(*at as usize),
        _ => None,
    })
}
