//! Asynchronous copies in flight.

use crate::{Action, AsyncCopy, Kernel, Wait};

/// A copy that was started, but that no commit has closed. Committed copies are `COMMITTED + the number of newer groups`.
const STARTED: u32 = 0;
const COMMITTED: u32 = 1;
/// No instance of the copy is in flight.
const DONE: u32 = u32::MAX;

/// All copies of a kernel, numbered in the order of blocks.
pub(crate) struct Copies<'k> {
    pub(crate) all: Vec<&'k AsyncCopy>,
    /// The largest number of a [`Wait::AllButNewest`]: more newer groups make no difference.
    most: u32,
}

impl<'k> Copies<'k> {
    pub(crate) fn of(kernel: &'k Kernel) -> Self {
        let mut copies = Self {
            all: Vec::new(),
            most: 0,
        };
        let actions = kernel.blocks.values().flat_map(|block| &block.actions);
        for action in actions {
            match action {
                Action::Copy(copy) => copies.all.push(copy),
                Action::Wait(Wait::AllButNewest(newest)) => {
                    copies.most = copies.most.max((*newest).min(DONE - COMMITTED - 1));
                }
                _ => {}
            }
        }
        copies
    }
}

/// For each copy, the state of its instance that is the last to complete. One number suffices: waits complete instances with
/// larger numbers first.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InFlight(Vec<u32>);

impl InFlight {
    pub(crate) fn none(copies: &Copies<'_>) -> Self {
        Self(vec![DONE; copies.all.len()])
    }

    pub(crate) fn start(&mut self, copy: usize) {
        self.0[copy] = STARTED;
    }

    pub(crate) fn commit(&mut self, copies: &Copies<'_>) {
        for state in &mut self.0 {
            if *state != DONE {
                *state = (*state + 1).min(COMMITTED + copies.most);
            }
        }
    }

    pub(crate) fn wait(&mut self, copies: &Copies<'_>, wait: Wait) {
        for (state, copy) in self.0.iter_mut().zip(&copies.all) {
            let is_complete = match wait {
                Wait::Group(group) => copy.group == group,
                Wait::AllButNewest(newest) => *state >= COMMITTED.saturating_add(newest),
            };
            if is_complete {
                *state = DONE;
            }
        }
    }

    /// What is in flight on one of two paths.
    pub(crate) fn join(&mut self, other: &Self) {
        for (state, other) in self.0.iter_mut().zip(&other.0) {
            *state = (*state).min(*other);
        }
    }

    /// The copies that are in flight.
    pub(crate) fn copies<'c>(
        &'c self,
        copies: &'c Copies<'c>,
    ) -> impl Iterator<Item = &'c AsyncCopy> {
        let states = self.0.iter().zip(&copies.all);
        states.filter_map(|(state, copy)| (*state != DONE).then_some(*copy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Branch, BufferId, Extent, GroupId};

    fn in_flight(actions: Vec<Action>) -> Vec<u32> {
        let mut kernel = Kernel::new();
        let block = kernel.add_block(Branch::Uniform);
        kernel.blocks[block].actions = actions.clone();
        let copies = Copies::of(&kernel);
        let mut state = InFlight::none(&copies);
        let mut started = 0;
        for action in &actions {
            match action {
                Action::Copy(_) => {
                    state.start(started);
                    started += 1;
                }
                Action::Commit => state.commit(&copies),
                Action::Wait(wait) => state.wait(&copies, *wait),
                _ => unreachable!("no other action"),
            }
        }
        state
            .copies(&copies)
            .map(|copy| copy.writes[0].0.0)
            .collect()
    }

    fn copy(buffer: u32, group: u32) -> Action {
        Action::Copy(AsyncCopy {
            group: GroupId(group),
            reads: Vec::new(),
            writes: vec![(BufferId(buffer), Extent::Part)],
        })
    }

    #[test]
    fn waits_count_committed_groups_of_copies() {
        let groups = |wait| {
            let actions = [copy(0, 0), copy(1, 0), Action::Commit, copy(2, 1)];
            let more = [Action::Commit, copy(3, 1), Action::Wait(wait)];
            in_flight(actions.into_iter().chain(more).collect())
        };
        assert_eq!(groups(Wait::AllButNewest(2)), [0, 1, 2, 3]);
        assert_eq!(groups(Wait::AllButNewest(1)), [2, 3]);
        // No commit has closed the group of the last copy.
        assert_eq!(groups(Wait::AllButNewest(0)), [3]);
        assert_eq!(groups(Wait::AllButNewest(u32::MAX)), [0, 1, 2, 3]);
        assert_eq!(groups(Wait::Group(GroupId(1))), [0, 1]);
    }
}
