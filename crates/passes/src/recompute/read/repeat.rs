//! What it takes to compute a buffer again before a step: the steps that are repeated, the buffers that are held for that, and
//! those that are computed again for that alone.

use super::Reading;
use crate::{
    late_uses::{BufferUses, Touch},
    op_effects::{OUTSIDE, Root, argument_of},
    recompute::Refusal,
};
use memplan_lifetimes::{
    live::contains,
    program::{BufferId, Position},
};
use memplan_semantics::Semantics;

/// Most operations that are repeated for one late use, and most buffers that are computed again for another one.
const MOST_STEPS: usize = 16;
const MOST_BUFFERS: usize = 4;

/// A buffer that is computed again, by these steps of its block.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The block, by index.
    pub block: usize,
    /// The step before which it is computed.
    pub before: u32,
    /// The steps, in the order of execution, each with the buffer that it writes.
    pub steps: Vec<(u32, BufferId)>,
    /// The buffers that are computed, each with the last step that writes it: the one that is used late, and those that only the
    /// repeated steps use.
    pub buffers: Vec<(BufferId, u32)>,
    /// Plannable buffers that are read, by index, from so many positions on.
    pub held: Vec<(usize, Position)>,
    /// Innermost iterations.
    pub iterations: u64,
}

/// Whether a buffer that is dead at the late use is held for longer, or computed again, where both are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    Hold,
    Compute,
}

/// The steps that give a buffer the contents that it has before a step.
pub fn producers(uses: &BufferUses<'_>, until: u32) -> Result<Vec<u32>, Refusal> {
    let before = uses.touches.partition_point(|touch| touch.step < until);
    let touches: &[Touch] = &uses.touches[..before];
    let last = touches.iter().rposition(|touch| touch.overwrites);
    let first = match last {
        Some(first) => first,
        // What no operation has written is undefined, and so it is the second time.
        None if uses.is_local => 0,
        None => return Err(Refusal::Partial),
    };
    if first > 0 {
        return Err(Refusal::Rewritten);
    }
    let steps = touches.iter().filter(|touch| touch.writes);
    Ok(steps.map(|touch| touch.step).collect())
}

/// Finds out what it takes.
pub struct Repeater<'r, 'a, 'c> {
    pub reading: &'r Reading<'a, 'c>,
    pub semantics: &'r mut Semantics,
    pub preference: Preference,
    pub found: Repeated,
}

impl Repeater<'_, '_, '_> {
    /// Adds a buffer with the contents that it has before the step `until`.
    pub fn compute(&mut self, buffer: BufferId, until: u32) -> Result<(), Refusal> {
        let reading = self.reading;
        let place = reading.places[buffer.index()].ok_or(Refusal::Aliases)?;
        let uses = reading.uses[place].as_ref().map_err(|refusal| *refusal)?;
        if uses.block != self.found.block {
            return Err(Refusal::Paths);
        }
        let producers = producers(uses, until)?;
        let version = *producers.last().ok_or(Refusal::Partial)?;
        let mut known = self.found.buffers.iter();
        if let Some((_, other)) = known.find(|(other, _)| *other == buffer) {
            return match *other == version {
                true => Ok(()),
                false => Err(Refusal::Long),
            };
        }
        if self.found.buffers.len() > MOST_BUFFERS {
            return Err(Refusal::Long);
        }
        self.found.buffers.push((buffer, version));
        producers
            .into_iter()
            .try_for_each(|step| self.repeat(step, buffer))
    }

    /// Repeats a step, which writes a buffer.
    fn repeat(&mut self, number: u32, buffer: BufferId) -> Result<(), Refusal> {
        let steps = &self.reading.blocks.all[self.found.block];
        let step = &steps.steps[number as usize];
        let writes_only_it = step.writes[..] == [buffer.0];
        let has_results = memplan_mlir::ir::results(step.op).next().is_some();
        if !step.is_plain || !writes_only_it || has_results || !step.is_repeatable(self.semantics) {
            return Err(Refusal::Producer);
        }
        for root in &step.reads {
            if *root != buffer.0 {
                self.read(*root, number)?;
            }
        }
        if self.found.steps.len() >= MOST_STEPS {
            return Err(Refusal::Long);
        }
        self.found.steps.push((number, buffer));
        self.found.iterations = self.found.iterations.saturating_add(step.iterations);
        Ok(())
    }

    /// Provides memory that a step reads, with the contents that it has there.
    fn read(&mut self, root: Root, step: u32) -> Result<(), Refusal> {
        let reading = self.reading;
        if reading.pending.contains(&root) {
            return Err(Refusal::Aliases);
        }
        let steps = &reading.blocks.all[self.found.block];
        let is_changed = steps.is_written(root, step, self.found.before);
        let is_outside = root == OUTSIDE || argument_of(root).is_some();
        let place = match is_outside {
            true => None,
            false => reading.places[BufferId(root).index()],
        };
        let Some(place) = place else {
            return match is_changed {
                true => Err(Refusal::Changed),
                false => Ok(()),
            };
        };
        let cut = &steps.steps[self.found.before as usize];
        let live = &reading.analysis.plannable[place].live;
        let is_live = contains(live, cut.start) && contains(live, cut.start - 1);
        let is_computed = is_changed || (!is_live && self.preference == Preference::Compute);
        if is_computed {
            let (before, own) = (self.found.clone(), BufferId(root));
            let Err(refusal) = self.compute(own, step) else {
                return Ok(());
            };
            self.found = before;
            if is_changed {
                return Err(match refusal {
                    Refusal::Long => refusal,
                    _ => Refusal::Changed,
                });
            }
        }
        let candidate = self.found.buffers[0].0;
        let own = reading.places[candidate.index()].map(|place| reading.arena_of[place]);
        if !is_live && own != Some(reading.arena_of[place]) {
            return Err(Refusal::Elsewhere);
        }
        if !reading.analysis.plannable[place].carried.is_empty() {
            return Err(Refusal::Rewritten);
        }
        let from = steps.steps[step as usize].end;
        self.found.held.push((place, from));
        Ok(())
    }
}
