//! How many bytes a function holds at each position, if it frees each buffer after its last use.

use memplan_lifetimes::{
    Analysis,
    live::Ranges,
    program::{BufferId, Position},
};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Changes of the bytes that are held, by position.
pub struct Load<'a, 'c> {
    analysis: &'a Analysis<'c>,
    changes: BTreeMap<Position, i128>,
    /// Buffers that another one takes over, each with the position.
    handed: FxHashSet<(BufferId, Position)>,
}

/// The most bytes at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// How many.
    pub bytes: i128,
    /// The first such position.
    pub at: Position,
}

impl<'a, 'c> Load<'a, 'c> {
    /// No bytes yet.
    pub fn empty(analysis: &'a Analysis<'c>) -> Self {
        let takeovers = analysis.takeovers.iter();
        Self {
            analysis,
            changes: BTreeMap::new(),
            handed: takeovers.map(|one| (one.from, one.position)).collect(),
        }
    }

    /// The bytes of the buffers that can be planned, other than those in `taken`.
    pub fn of(analysis: &'a Analysis<'c>, taken: &FxHashSet<BufferId>) -> Self {
        let mut load = Self::empty(analysis);
        let plannable = analysis.plannable.iter();
        for one in plannable.filter(|one| !taken.contains(&one.buffer)) {
            load.add(one.buffer, &one.live);
        }
        load
    }

    /// Counts a buffer.
    pub fn add(&mut self, buffer: BufferId, live: &Ranges) {
        self.count(buffer, live, 1);
    }

    /// Counts a buffer no longer.
    pub fn remove(&mut self, buffer: BufferId, live: &Ranges) {
        self.count(buffer, live, -1);
    }

    fn count(&mut self, buffer: BufferId, live: &Ranges, sign: i128) {
        let size = i128::from(self.analysis.program.buffers[buffer.index()].size) * sign;
        for (first, end) in live {
            let last = end.saturating_sub(1);
            let is_handed = last > *first && self.handed.contains(&(buffer, last));
            self.change((*first, if is_handed { last } else { *end }), size);
        }
    }

    /// Adds bytes from one position to before another one.
    pub fn change(&mut self, (first, end): (Position, Position), bytes: i128) {
        *self.changes.entry(first).or_default() += bytes;
        *self.changes.entry(end).or_default() -= bytes;
    }

    /// Where the most bytes are held.
    pub fn peak(&self) -> Peak {
        let mut held = 0;
        let mut peak = Peak { bytes: 0, at: 0 };
        for (position, change) in &self.changes {
            held += change;
            if held > peak.bytes {
                peak = Peak {
                    bytes: held,
                    at: *position,
                };
            }
        }
        peak
    }
}
