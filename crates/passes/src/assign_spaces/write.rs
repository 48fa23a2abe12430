//! Writes the spaces of buffers: types, copies between spaces, and views of these.

use super::{
    accesses::base,
    beside::Early,
    read::{Reading, Source},
    settings::Settings,
};
use crate::{
    late_uses::{Again, Rewrite, Substitutes, is_view},
    memory_spaces::uses::moved_type,
    recompute::Repeated,
};
use memplan_mlir::{
    build::{Builder, Transfer},
    ir::{Identity, Op, Type, Val, erase, results, set_type, type_of, uses},
    melior::ir::operation::OperationLike,
    values::set_operand,
};
use memplan_placement::{Buffer, Holding, Plan, Sequence, used};
use memplan_semantics::Semantics;

/// What was written.
pub struct Written<'c> {
    rewrite: Rewrite<'c>,
    /// Deallocations that others replace.
    freed: Vec<Op<'c>>,
    /// Copies that were added, and the bytes that they move, all executions together.
    pub copies: u64,
    pub bytes: u64,
    /// Those of them that run beside operations: `memref.dma_start` and `memref.dma_wait`.
    pub beside: u64,
    /// Operations that compute contents again.
    pub repeated: u64,
}

/// The buffer in one space, from one layer to another one.
struct Instance<'c> {
    space: usize,
    first: usize,
    last: usize,
    value: Val<'c>,
}

impl<'c> Written<'c> {
    /// Restores the function.
    pub fn undo(self) {
        self.rewrite.undo();
    }

    /// Erases what is unused now.
    pub fn keep(self) {
        for free in self.freed {
            erase(free);
        }
        self.rewrite.keep();
    }
}

/// A buffer comes to another space: between layers of its sequence, before a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    block: usize,
    before: u32,
    /// Whether it comes for the next touch, not after the last one.
    is_before: bool,
    index: usize,
    layer: usize,
    space: usize,
}

struct Writer<'w, 'r, 'a, 'c> {
    reading: &'r Reading<'a, 'c>,
    semantics: &'w mut Semantics,
    settings: &'w Settings,
    early: &'w Early,
    written: Written<'c>,
}

/// Writes a plan. `None` if something does not have the form that was read: then nothing is changed.
pub fn write<'c>(
    reading: &Reading<'_, 'c>,
    semantics: &mut Semantics,
    settings: &Settings,
    (plan, early): (&Plan, &Early),
) -> Option<Written<'c>> {
    let mut writer = Writer {
        reading,
        semantics,
        settings,
        early,
        written: Written {
            rewrite: Rewrite::default(),
            freed: Vec::new(),
            copies: 0,
            bytes: 0,
            beside: 0,
            repeated: 0,
        },
    };
    if writer.all(plan).is_none() {
        writer.written.undo();
        return None;
    }
    Some(writer.written)
}

impl<'c> Writer<'_, '_, '_, 'c> {
    fn all(&mut self, plan: &Plan) -> Option<()> {
        let all = plan.sequences.iter().enumerate();
        let mut instances: Vec<(usize, Vec<Instance<'c>>)> = Vec::new();
        for (index, sequence) in all {
            let source = &self.reading.sources[index];
            let value = results(source.alloc).next()?;
            let first = sequence.holdings.first()?.iter().next()?;
            instances.push((
                index,
                vec![Instance {
                    space: first,
                    first: 0,
                    last: last_layer(sequence, 0, first),
                    value,
                }],
            ));
        }
        for event in self.events(plan)? {
            self.arrive(&event, plan, &mut instances[event.index].1)?;
        }
        for (index, own) in &mut instances {
            own.sort_by_key(|one| (one.first, one.space));
            self.replace((*index, &plan.sequences[*index]), own)?;
        }
        for (index, own) in &instances {
            self.retype(&self.reading.sources[*index], own[0].space)?;
        }
        Some(())
    }

    /// Where buffers come to other spaces, in program order. What comes after a touch leaves another space: it goes first, so
    /// that its bytes are free for what comes before the next one.
    fn events(&self, plan: &Plan) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        for (index, sequence) in plan.sequences.iter().enumerate() {
            for layer in 1..sequence.holdings.len() {
                let new = sequence.holdings[layer].without(sequence.holdings[layer - 1]);
                for space in new.iter() {
                    let local = self.reading.sources[index].uses.as_ref()?;
                    let is_before = layer % 2 == 0;
                    let step = local.touches[layer / 2].step;
                    let early = self.early.get(&(index, layer)).copied();
                    events.push(Event {
                        block: local.block,
                        before: early.unwrap_or(if is_before { step } else { step + 1 }),
                        is_before,
                        index,
                        layer,
                        space,
                    });
                }
            }
        }
        events.sort_unstable();
        Some(events)
    }

    /// Adds the buffer in another space, and copies it there.
    fn arrive(
        &mut self,
        event: &Event,
        plan: &Plan,
        instances: &mut Vec<Instance<'c>>,
    ) -> Option<()> {
        let reading = self.reading;
        let (source, sequence) = (&reading.sources[event.index], &plan.sequences[event.index]);
        let buffer = &reading.problem.buffers[event.index];
        let steps = &reading.uses.blocks.all.get(event.block)?.steps;
        let anchor = steps.get(event.before as usize)?.op;
        let value = self.allocate(source, event.space, anchor)?;
        let before = event.layer - 1;
        if let Some(from) = cheapest(reading, buffer, sequence.holdings[before], event.space) {
            let mut all = instances.iter();
            let is_there = |one: &&Instance<'c>| {
                one.space == from && one.first <= before && before <= one.last
            };
            let other = all.find(is_there)?;
            let (from, builder) = (
                other.value,
                Builder::before(anchor, source.alloc.location())?,
            );
            match self.early.contains_key(&(event.index, event.layer)) {
                true => {
                    let local = source.uses.as_ref()?;
                    let next = local.touches[event.layer / 2].step;
                    let next =
                        Builder::before(steps.get(next as usize)?.op, source.alloc.location())?;
                    let transfer = Transfer::write((&builder, &next), from, value).ok()?;
                    let inserted = transfer.ops.into_iter();
                    inserted.for_each(|op| self.written.rewrite.inserted(op));
                    if local.freed.is_some() {
                        self.written
                            .rewrite
                            .inserted(next.dealloc(transfer.tag).ok()?);
                    }
                    self.written.beside += 1;
                }
                false => {
                    let copy = builder.copy(from, value).ok()?;
                    self.written.rewrite.inserted(copy);
                }
            }
            self.written.copies += 1;
            self.written.bytes = self.written.bytes.saturating_add(buffer.copied);
        } else if !buffer.gaps[event.layer / 2 - 1].is_dead {
            let again = source.again.get(event.layer / 2 - 1)?.as_ref()?;
            self.compute(source, again, value, anchor)?;
        }
        instances.push(Instance {
            space: event.space,
            first: event.layer,
            last: last_layer(sequence, event.layer, event.space),
            value,
        });
        Some(())
    }

    /// Computes a buffer again, into this one.
    fn compute(
        &mut self,
        source: &Source<'c>,
        again: &Repeated,
        value: Val<'c>,
        anchor: Op<'c>,
    ) -> Option<()> {
        let own = results(source.alloc).next()?;
        let mut substitutes = Substitutes::default();
        substitutes.insert(own.key(), value);
        for (step, _) in &again.steps {
            let steps = &self.reading.uses.blocks.all.get(again.block)?.steps;
            let step = steps.get(*step as usize)?.op;
            let (rewrite, semantics) = (&mut self.written.rewrite, &mut *self.semantics);
            rewrite.repeat(
                step,
                anchor,
                &mut substitutes,
                semantics,
                &|value, semantics| base(value, semantics).key() == own.key(),
            )?;
            self.written.repeated += 1;
        }
        Some(())
    }

    /// Another allocation of the same shape, in a space.
    fn allocate(&mut self, source: &Source<'c>, space: usize, before: Op<'c>) -> Option<Val<'c>> {
        let r#type = self.r#type(source, space)?;
        let copy = self.written.rewrite.copy(source.alloc, before)?;
        let value = results(copy).next()?;
        set_type(value, r#type);
        Some(value)
    }

    fn r#type(&self, source: &Source<'c>, space: usize) -> Option<Type<'c>> {
        match space == source.space {
            true => results(source.alloc).next().map(type_of),
            false => moved_type(source.alloc, &self.settings.spaces[space].memory_space),
        }
    }

    /// Lets each touch use the buffer in the space that the plan says, and frees all of them where the program frees one.
    fn replace(
        &mut self,
        (index, sequence): (usize, &Sequence),
        instances: &[Instance<'c>],
    ) -> Option<()> {
        let reading = self.reading;
        let source = &reading.sources[index];
        let buffer = &reading.problem.buffers[index];
        let Some(local) = &source.uses else {
            return Some(());
        };
        let mut again: Vec<Again<'c>> = Vec::new();
        let mut now = 0;
        for (touch, place) in local.touches.iter().enumerate() {
            let space = used(
                &reading.problem,
                buffer,
                touch,
                sequence.holdings[2 * touch],
            )?;
            let one = instances.iter().position(|one| {
                one.space == space && one.first <= 2 * touch && 2 * touch <= one.last
            })?;
            if one != now {
                now = one;
                again.push(Again {
                    before: place.step,
                    value: instances[one].value,
                });
            }
        }
        if !again.is_empty() {
            let value = results(source.alloc).next()?;
            let place = (&reading.uses.blocks, local.block);
            self.written
                .rewrite
                .replace(value, place, &again, self.semantics)?;
        }
        let is_one = instances.len() == 1;
        if let Some(free) = local.freed.filter(|_| !is_one) {
            let steps = &reading.uses.blocks.all.get(local.block)?.steps;
            for one in instances {
                // After a touch, or before the next one.
                let touch = &local.touches[one.last / 2];
                let after = steps.get(touch.step as usize + 1)?.op;
                let before = match one.last % 2 {
                    0 => after,
                    _ => steps.get(local.touches[one.last / 2 + 1].step as usize)?.op,
                };
                let copy = self.written.rewrite.copy(free, before)?;
                set_operand(copy, 0, one.value);
            }
            self.written.freed.push(free);
        }
        Some(())
    }

    /// Gives the first allocation and its views the type of its space.
    fn retype(&mut self, source: &Source<'c>, space: usize) -> Option<()> {
        if space == source.space {
            return Some(());
        }
        let value = results(source.alloc).next()?;
        let r#type = self.r#type(source, space)?;
        self.written.rewrite.set_type(value, r#type);
        for (user, operand) in uses(value) {
            if is_view(user, operand, self.semantics) {
                let view = results(user).next()?;
                self.written.rewrite.retype(view, r#type, self.semantics)?;
            }
        }
        Some(())
    }
}

/// The last layer of an instance in a space that has this one.
fn last_layer(sequence: &Sequence, first: usize, space: usize) -> usize {
    let layers = sequence.holdings[first..].iter();
    first + layers.take_while(|holding| holding.has(space)).count() - 1
}

/// The space from which a copy costs least.
fn cheapest(reading: &Reading<'_, '_>, buffer: &Buffer, from: Holding, to: usize) -> Option<usize> {
    let spaces = &reading.problem.spaces;
    let cost = |one: usize| buffer.copy_cost(&spaces[one], &spaces[to]);
    from.iter().min_by_key(|one| (cost(*one), *one))
}
