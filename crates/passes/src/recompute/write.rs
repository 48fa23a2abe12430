//! Computes buffers again before late uses, and undoes that.

use super::read::{Reading, Repeated, is_view};
use memplan_lifetimes::program::{BufferId, ValueId};
use memplan_mlir::{
    build::mark,
    copy::{copy_before, substitute},
    ir::{
        Identity, Key, Op, Origin, Val, ancestor_in, erase, is_unused, next_in_block, operands,
        origin, parent_block, results, uses,
    },
    values::set_operand,
};
use memplan_semantics::{Semantics, attributes::RECOMPUTED};
use rustc_hash::FxHashMap;

/// What was written.
#[derive(Default)]
pub struct Written<'c> {
    /// Operations that were inserted, in that order.
    inserted: Vec<Op<'c>>,
    /// Operands that were changed, with the values before.
    changed: Vec<(Op<'c>, usize, Val<'c>)>,
    /// Views of which some users now have others.
    views: Vec<Op<'c>>,
}

impl<'c> Written<'c> {
    /// Restores the function.
    pub fn undo(self) {
        for (op, operand, value) in self.changed.into_iter().rev() {
            set_operand(op, operand, value);
        }
        self.inserted.into_iter().rev().for_each(erase);
    }

    /// Erases views that are unused now.
    pub fn keep(self) {
        // A view of a view is visited after it.
        for view in self.views.into_iter().rev() {
            if results(view).all(is_unused) {
                erase(view);
            }
        }
    }

    fn set(&mut self, op: Op<'c>, operand: usize, value: Val<'c>) {
        if let Some(before) = operands(op).nth(operand) {
            self.changed.push((op, operand, before));
            set_operand(op, operand, value);
        }
    }

    fn copy(&mut self, op: Op<'c>, before: Op<'c>) -> Option<Op<'c>> {
        let copy = copy_before(op, parent_block(before)?, before)?;
        self.inserted.push(copy);
        Some(copy)
    }
}

/// Values by other ones that stand for them.
type Substitutes<'c> = FxHashMap<Key, Val<'c>>;

/// Writes function by function.
pub struct Writer<'r, 'a, 'c> {
    reading: &'r Reading<'a, 'c>,
    semantics: &'r mut Semantics,
    ids: FxHashMap<Key, ValueId>,
    written: Written<'c>,
}

/// A buffer from a late use on.
struct Again<'c> {
    before: u32,
    value: Val<'c>,
}

/// Writes what was chosen. `None` if something does not have the form that was read: then nothing is changed.
pub fn write<'c>(
    reading: &Reading<'_, 'c>,
    semantics: &mut Semantics,
    chosen: &[&Repeated],
) -> Option<Written<'c>> {
    let values = reading.analysis.handles.values.iter().enumerate();
    let mut writer = Writer {
        reading,
        semantics,
        ids: values
            .map(|(index, value)| (value.key(), ValueId::new(index)))
            .collect(),
        written: Written::default(),
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
            let all: Vec<&Again<'c>> = same.iter().map(|one| &one.2).collect();
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
            let copy = copy_before(step, parent_block(before)?, before)?;
            let mut is_found = true;
            substitute(copy, &mut |value| {
                let is_computed = self.is_view_of_any(value, &one.buffers);
                is_computed.then(|| {
                    let other = self.substitute(value, copy, &mut substitutes);
                    is_found &= other.is_some();
                    other
                })?
            });
            // After the views that it uses, which are erased after it.
            self.written.inserted.push(copy);
            if !is_found {
                return None;
            }
            mark(copy, RECOMPUTED);
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

    /// Whether a value is one of these buffers, or a view of one.
    fn is_view_of_any(&self, value: Val<'c>, buffers: &[(BufferId, u32)]) -> bool {
        let analysis = self.reading.analysis;
        self.ids.get(&value.key()).is_some_and(|id| {
            let base = analysis.aliases.base(*id);
            buffers
                .iter()
                .any(|(buffer, _)| analysis.program.buffers[buffer.index()].value == base)
        })
    }

    /// The value that stands for a view; views are copied before an operation.
    fn substitute(
        &mut self,
        value: Val<'c>,
        before: Op<'c>,
        substitutes: &mut Substitutes<'c>,
    ) -> Option<Val<'c>> {
        // Views on the path to it that have no copy yet.
        let mut missing = Vec::new();
        let mut at = value;
        while !substitutes.contains_key(&at.key()) {
            let Some(Origin::Result(view, _)) = origin(at) else {
                return None;
            };
            let source = self.semantics.of(view).view_source()? as usize;
            if !is_view(view, source, self.semantics) {
                return None;
            }
            missing.push((view, source, at));
            at = operands(view).nth(source)?;
        }
        for (view, source, value) in missing.into_iter().rev() {
            let of = operands(view).nth(source)?;
            let copy = self.written.copy(view, before)?;
            set_operand(copy, source, *substitutes.get(&of.key())?);
            substitutes.insert(value.key(), results(copy).next()?);
        }
        substitutes.get(&value.key()).copied()
    }

    /// Lets late uses of a buffer use the new ones, each from its step on.
    fn replace(&mut self, buffer: BufferId, block: usize, again: &[&Again<'c>]) -> Option<()> {
        let reading = self.reading;
        let steps = reading.blocks.all.get(block)?;
        let place = reading.places[buffer.index()]?;
        let uses_of = reading.uses[place].as_ref().ok()?;
        // The number of the new buffer that an operation uses; 0 is the old one.
        let part = |op: Op<'c>| -> usize {
            let step = ancestor_in(op, steps.block);
            let step = step.and_then(|step| reading.blocks.step_of.get(&step.key()).copied());
            step.map_or(0, |step| again.partition_point(|one| one.before <= step))
        };
        let value = self.value_of(buffer);
        let mut substitutes: Vec<Substitutes<'c>> = vec![Substitutes::default()];
        for one in again {
            let mut own = Substitutes::default();
            own.insert(value.key(), one.value);
            substitutes.push(own);
        }
        let (mut open, mut found) = (vec![(value, 0)], Vec::new());
        while let Some((value, own)) = open.pop() {
            for (op, operand) in uses(value) {
                let part = part(op);
                if part > own {
                    found.push((op, operand, value, part));
                }
                if is_view(op, operand, self.semantics) {
                    open.push((results(op).next()?, part.max(own)));
                    self.written.views.push(op);
                }
            }
        }
        // All views first: they are copies of what has not changed yet.
        for (_, _, value, part) in &found {
            let before = self.step(block, again[part - 1].before)?;
            self.substitute(*value, before, &mut substitutes[*part])?;
        }
        for (op, operand, value, part) in found {
            let other = *substitutes[part].get(&value.key())?;
            self.written.set(op, operand, other);
        }
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
