//! Barrier intervals: forward dataflow from each barrier to the next ones.

use crate::control::Control;
use crate::copies::{Copies, InFlight};
use crate::{Action, BlockId, Kernel};
use fixedbitset::FixedBitSet;

/// What paths to a point in the kernel did.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// The buffers accessed since the last barrier. Copies in flight access theirs in each interval.
    pub(crate) accessed: FixedBitSet,
    /// The same for writes.
    pub(crate) written: FixedBitSet,
    /// The buffers that have contents: written at some time.
    pub(crate) defined: FixedBitSet,
    in_flight: InFlight,
}

impl State {
    fn start(kernel: &Kernel, copies: &Copies<'_>) -> Self {
        let none = FixedBitSet::with_capacity(kernel.buffers.len());
        Self {
            accessed: none.clone(),
            written: none.clone(),
            defined: none,
            in_flight: InFlight::none(copies),
        }
    }

    fn join(&mut self, other: &Self) {
        self.accessed.union_with(&other.accessed);
        self.written.union_with(&other.written);
        self.defined.union_with(&other.defined);
        self.in_flight.join(&other.in_flight);
    }

    /// `copy` is the number of the next copy, if the action is one.
    fn step(&mut self, action: &Action, copies: &Copies<'_>, copy: &mut usize, is_uniform: bool) {
        if let Some(buffer) = action.discards().filter(|_| is_uniform) {
            self.defined.remove(buffer.index());
        }
        match action {
            Action::Barrier => {
                self.accessed.clear();
                self.written.clear();
                for copy in self.in_flight.copies(copies) {
                    let written = copy.writes.iter().map(|(buffer, _)| buffer.index());
                    self.written.extend(written);
                    self.accessed
                        .extend(copy.reads.iter().map(|buffer| buffer.index()));
                }
                self.accessed.union_with(&self.written);
            }
            Action::Copy(_) => {
                self.in_flight.start(*copy);
                *copy += 1;
            }
            Action::Commit => self.in_flight.commit(copies),
            Action::Wait(wait) => self.in_flight.wait(copies, *wait),
            Action::Read(_) | Action::Write(..) | Action::Discard(_) => {}
        }
        self.accessed
            .extend(action.reads().map(|buffer| buffer.index()));
        for (buffer, _) in action.writes() {
            self.accessed.insert(buffer.index());
            self.written.insert(buffer.index());
            self.defined.insert(buffer.index());
        }
    }
}

/// The states of all points.
pub(crate) struct Intervals<'k> {
    kernel: &'k Kernel,
    control: &'k Control,
    copies: Copies<'k>,
    /// The number of copies before each block.
    copies_before: Vec<usize>,
    /// The state at the start of each reachable block.
    at_start: Vec<Option<State>>,
}

impl<'k> Intervals<'k> {
    /// Linear in the actions for each nested loop, times the copies that there are.
    pub(crate) fn of(kernel: &'k Kernel, control: &'k Control) -> Self {
        let copies = Copies::of(kernel);
        let mut copies_before = Vec::new();
        let mut count = 0;
        for block in kernel.blocks.values() {
            copies_before.push(count);
            let actions = block.actions.iter();
            count += actions
                .filter(|action| matches!(action, Action::Copy(_)))
                .count();
        }
        let mut at_start = vec![None; kernel.blocks.len()];
        at_start[0] = Some(State::start(kernel, &copies));
        let mut intervals = Self {
            kernel,
            control,
            copies,
            copies_before,
            at_start,
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &control.order {
                // Predecessors that come first in this order have set it.
                let Some(end) = intervals.walk(block, |_, _, _| {}) else {
                    continue;
                };
                for &to in control.graph.successors(block) {
                    let known = &mut intervals.at_start[to.index()];
                    let joined = match known {
                        Some(known) => {
                            let mut joined = known.clone();
                            joined.join(&end);
                            joined
                        }
                        None => end.clone(),
                    };
                    if known.as_ref() != Some(&joined) {
                        *known = Some(joined);
                        changed = true;
                    }
                }
            }
        }
        intervals
    }

    /// Visits the actions of a block, each with its position and the state before it. Returns the state at the end of the
    /// block; `None` for an unreachable block.
    pub(crate) fn walk(
        &self,
        block: BlockId,
        mut visit: impl FnMut(usize, &Action, &State),
    ) -> Option<State> {
        let mut state = self.at_start[block.index()].clone()?;
        let mut copy = self.copies_before[block.index()];
        let is_uniform = self.control.is_uniform(block);
        for (at, action) in self.kernel.blocks[block].actions.iter().enumerate() {
            visit(at, action, &state);
            state.step(action, &self.copies, &mut copy, is_uniform);
        }
        Some(state)
    }
}
