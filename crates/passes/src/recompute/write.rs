//! Computes buffers again before late uses, and undoes that.

use super::read::{Reading, Repeated};
use crate::late_uses::{Again, Rewrite, Substitutes};
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, ValueId},
};
use memplan_mlir::{
    ir::{Identity, Key, Op, Val, next_in_block, results},
    values::set_operand,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;

/// Writes function by function.
pub struct Writer<'r, 'a, 'c> {
    reading: &'r Reading<'a, 'c>,
    semantics: &'r mut Semantics,
    ids: FxHashMap<Key, ValueId>,
    written: Rewrite<'c>,
}

/// Writes what was chosen. `None` if something does not have the form that was read: then nothing is changed.
pub fn write<'c>(
    reading: &Reading<'_, 'c>,
    semantics: &mut Semantics,
    chosen: &[&Repeated],
) -> Option<Rewrite<'c>> {
    let values = reading.analysis.handles.values.iter().enumerate();
    let mut writer = Writer {
        reading,
        semantics,
        ids: values
            .map(|(index, value)| (value.key(), ValueId::new(index)))
            .collect(),
        written: Rewrite::default(),
    };
    if writer.all(chosen).is_none() {
        writer.written.undo();
        return None;
    }
    Some(writer.written)
}

impl<'c> Writer<'_, '_, 'c> {
    fn all(&mut self, chosen: &[&Repeated]) -> Option<()> {
        // All copies first: what they are copies of has not changed yet.
        let mut again: Vec<(BufferId, usize, Again<'c>)> = Vec::new();
        for one in chosen {
            let value = self.compute(one)?;
            let before = one.before;
            again.push((one.buffers[0].0, one.block, Again { before, value }));
        }
        again.sort_by_key(|(buffer, _, one)| (*buffer, one.before));
        for same in again.chunk_by(|one, other| one.0 == other.0) {
            let all: Vec<Again<'c>> = same.iter().map(|one| one.2).collect();
            self.replace(same[0].0, same[0].1, &all)?;
        }
        Some(())
    }

    /// The step of a block, by number.
    fn step(&self, block: usize, number: u32) -> Option<Op<'c>> {
        let steps = &self.reading.blocks.all.get(block)?.steps;
        steps.get(number as usize).map(|step| step.op)
    }

    fn value_of(&self, buffer: BufferId) -> Val<'c> {
        let analysis = self.reading.analysis;
        analysis.handles.values[analysis.program.buffers[buffer.index()].value.index()]
    }

    /// Computes a buffer again; returns the new one.
    fn compute(&mut self, one: &Repeated) -> Option<Val<'c>> {
        let before = self.step(one.block, one.before)?;
        let mut substitutes = Substitutes::default();
        for (buffer, _) in &one.buffers {
            let alloc = self.reading.analysis.handles.buffers[buffer.index()];
            let copy = self.written.copy(alloc, before)?;
            let value = self.value_of(*buffer);
            substitutes.insert(value.key(), results(copy).next()?);
        }
        for (number, _) in &one.steps {
            let step = self.step(one.block, *number)?;
            let (ids, analysis) = (&self.ids, self.reading.analysis);
            let is_computed = |value: Val<'c>, _: &mut Semantics| {
                is_view_of_any(value, &one.buffers, ids, analysis)
            };
            self.written
                .repeat(step, before, &mut substitutes, self.semantics, &is_computed)?;
        }
        // What only the repeated steps use is freed as the original.
        for (buffer, _) in &one.buffers[1..] {
            let place = self.reading.places[buffer.index()]?;
            let freed = self.reading.uses[place].as_ref().ok()?.freed;
            if let Some(free) = freed {
                let copy = self.written.copy(free, before)?;
                set_operand(copy, 0, *substitutes.get(&self.value_of(*buffer).key())?);
            }
        }
        substitutes
            .get(&self.value_of(one.buffers[0].0).key())
            .copied()
    }

    /// Lets late uses of a buffer use the new ones, each from its step on.
    fn replace(&mut self, buffer: BufferId, block: usize, again: &[Again<'c>]) -> Option<()> {
        let reading = self.reading;
        let place = reading.places[buffer.index()]?;
        let uses_of = reading.uses[place].as_ref().ok()?;
        let value = self.value_of(buffer);
        let place = (&reading.blocks, block);
        self.written.replace(value, place, again, self.semantics)?;
        if let Some(free) = uses_of.freed {
            // The deallocation frees the last one now.
            let olds = std::iter::once(value).chain(again.iter().map(|one| one.value));
            for (old, one) in olds.zip(again) {
                let last = uses_of
                    .touches
                    .iter()
                    .rfind(|touch| touch.step < one.before)?;
                let after = next_in_block(self.step(block, last.step)?)?;
                let copy = self.written.copy(free, after)?;
                set_operand(copy, 0, old);
            }
        }
        Some(())
    }
}

/// Whether a value is one of these buffers, or a view of one.
fn is_view_of_any<'c>(
    value: Val<'c>,
    buffers: &[(BufferId, u32)],
    ids: &FxHashMap<Key, ValueId>,
    analysis: &Analysis<'c>,
) -> bool {
    ids.get(&value.key()).is_some_and(|id| {
        let base = analysis.aliases.base(*id);
        let mut all = buffers.iter();
        all.any(|(buffer, _)| analysis.program.buffers[buffer.index()].value == base)
    })
}
