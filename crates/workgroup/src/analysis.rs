//! Decides which buffers interfere. See [the rules](crate#interference).

use crate::control::Control;
use crate::intervals::Intervals;
use crate::needed::Needed;
use crate::{Action, BufferId, Interference, Kernel, KernelError, cliques};
use fixedbitset::FixedBitSet;
use memplan_planner::{Buffer, Problem};

/// What barriers say about the buffers of a kernel.
#[derive(Clone, Debug)]
pub struct Analysis {
    interference: Interference,
    /// For each sequence of actions without a barrier, in program order: what is accessed or has live contents there, on
    /// some path.
    intervals: Vec<FixedBitSet>,
}

impl Analysis {
    /// Analyses a kernel.
    ///
    /// The time is linear in the actions, for each level of nested loops and for each word of a set of buffers.
    ///
    /// # Errors
    ///
    /// The kernel is invalid.
    pub fn of(kernel: &Kernel) -> Result<Self, KernelError> {
        let control = Control::of(kernel)?;
        let mut analysis = Self {
            interference: Interference::none(kernel.buffers.len()),
            intervals: Vec::new(),
        };
        analysis.add_paths(kernel, &control);
        analysis.add_regions(kernel, &control);
        analysis.interference.close();
        Ok(analysis)
    }

    /// Which buffers must not share bytes.
    pub fn interference(&self) -> &Interference {
        &self.interference
    }

    /// The problem for the planner: buffers that interfere, and only these, are live at a common time. Ids are those of the
    /// buffers. Times follow the order of the barrier intervals, each of which has one or more of them.
    pub fn problem(&self, kernel: &Kernel) -> Problem {
        let sizes: Vec<u64> = kernel.buffers.values().map(|buffer| buffer.size).collect();
        let times = cliques::cover(&self.interference, &self.intervals, &sizes);
        let mut live: Vec<Vec<(u64, u64)>> = vec![Vec::new(); sizes.len()];
        for (time, clique) in (0..).zip(&times) {
            for buffer in clique.ones() {
                match live[buffer].last_mut() {
                    Some(last) if last.1 == time => last.1 = time + 1,
                    _ => live[buffer].push((time, time + 1)),
                }
            }
        }
        let buffers = kernel.buffers.iter().zip(live);
        let buffers = buffers.map(|((id, buffer), live)| {
            Buffer::new(id.0.into(), buffer.size, live).aligned(buffer.alignment)
        });
        Problem {
            buffers: buffers.collect(),
            ..Problem::default()
        }
    }

    /// Buffers that one thread may access or need on one path.
    fn add_paths(&mut self, kernel: &Kernel, control: &Control) {
        let needed = Needed::of(kernel, control);
        let intervals = Intervals::of(kernel, control);
        for &block in &control.order {
            let after = needed.after_actions(kernel, control, block);
            let mut present = FixedBitSet::with_capacity(kernel.buffers.len());
            let end = intervals.walk(block, |at, action, state| {
                if *action == Action::Barrier {
                    present.union_with(&state.accessed);
                    self.intervals.push(present.clone());
                    present.clear();
                }
                let mut live = state.defined.clone();
                live.intersect_with(&after[at]);
                present.union_with(&live);
                let own_writes = action.writes().map(|(buffer, _)| buffer);
                let own: FixedBitSet = action
                    .reads()
                    .chain(own_writes)
                    .map(BufferId::index)
                    .collect();
                for (buffer, _) in action.writes() {
                    self.interference.add(buffer, &own);
                    self.interference.add(buffer, &state.accessed);
                    self.interference.add(buffer, &live);
                }
                for buffer in action.reads() {
                    self.interference.add(buffer, &state.written);
                }
            });
            if let Some(end) = end {
                present.union_with(&end.accessed);
                self.intervals.push(present);
            }
        }
    }

    /// Buffers that different threads may access after a divergent branch.
    fn add_regions(&mut self, kernel: &Kernel, control: &Control) {
        for region in &control.regions {
            let mut accessed = FixedBitSet::with_capacity(kernel.buffers.len());
            let mut written = accessed.clone();
            for &block in &region.blocks {
                for action in &kernel.blocks[block].actions {
                    written.extend(action.writes().map(|(buffer, _)| buffer.index()));
                    accessed.extend(action.reads().map(BufferId::index));
                }
            }
            accessed.union_with(&written);
            for buffer in written.ones() {
                self.interference.add(BufferId::new(buffer), &accessed);
            }
        }
    }
}
