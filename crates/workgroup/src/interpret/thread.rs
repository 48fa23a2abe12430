//! The state of a thread.

use crate::{AsyncCopy, BlockId, BufferId, Place, Wait};
use memplan_flow::SecondaryMap;

/// An asynchronous copy in flight.
pub(super) struct Flight<'k> {
    /// A number that no other copy of the run has.
    pub(super) id: u64,
    pub(super) place: Place,
    pub(super) copy: &'k AsyncCopy,
    /// The group, by the number of commits before its own; `None` before the commit.
    pub(super) group: Option<u32>,
    /// Its reads and writes are done.
    pub(super) is_done: bool,
    /// How often its thread had discarded each buffer at its start.
    pub(super) discards: Discards,
}

/// How often a thread has discarded each buffer.
pub(super) type Discards = SecondaryMap<BufferId, u64>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    Waiting(Place),
    Ended,
}

pub(super) struct Thread<'k> {
    pub(super) status: Status,
    pub(super) place: Place,
    /// How often it has left each block.
    pub(super) visits: Vec<usize>,
    pub(super) commits: u32,
    pub(super) discards: Discards,
    pub(super) flights: Vec<Flight<'k>>,
}

impl Thread<'_> {
    pub(super) fn new(blocks: usize) -> Self {
        Self {
            status: Status::Running,
            place: Place {
                block: BlockId::new(0),
                action: 0,
            },
            visits: vec![0; blocks],
            commits: 0,
            discards: Discards::new(),
            flights: Vec::new(),
        }
    }

    pub(super) fn is_in_flight(&self, copy: u64) -> bool {
        self.flights.iter().any(|flight| flight.id == copy)
    }

    /// Closes a group.
    pub(super) fn commit(&mut self) {
        for flight in &mut self.flights {
            flight.group.get_or_insert(self.commits);
        }
        self.commits += 1;
    }

    /// Is the copy complete after the wait?
    pub(super) fn completes(&self, flight: &Flight<'_>, wait: Wait) -> bool {
        match wait {
            Wait::Group(group) => flight.copy.group == group,
            Wait::AllButNewest(newest) => flight
                .group
                .is_some_and(|group| self.commits - 1 - group >= newest),
        }
    }
}
