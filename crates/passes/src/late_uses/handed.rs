//! Buffers whose bytes another one takes over at an operation: they count once there.

use super::Step;
use memplan_lifetimes::{
    Analysis, in_place,
    live::Ranges,
    program::{BufferId, Position},
};
use rustc_hash::FxHashSet;

/// Ends of live ranges at which another buffer takes the bytes over.
pub struct Handed {
    /// Those of the program as it is.
    ends: FxHashSet<(BufferId, Position)>,
    /// Positions at which another one could take the bytes of a buffer over.
    possible: FxHashSet<(BufferId, Position)>,
}

impl Handed {
    /// Finds them, if buffers may be reused in place.
    pub fn of(analysis: &Analysis<'_>, places: &[Option<usize>], in_place: bool) -> Self {
        let mut found = Self {
            ends: FxHashSet::default(),
            possible: FxHashSet::default(),
        };
        if !in_place {
            return found;
        }
        let plannable = |buffer: BufferId| Some(&analysis.plannable[places[buffer.index()]?]);
        let begins = |buffer: BufferId, at: Position| {
            plannable(buffer).is_some_and(|one| {
                one.carried.is_empty() && one.live.iter().any(|range| range.0 == at)
            })
        };
        let ends = |buffer: BufferId, at: Position| {
            plannable(buffer).is_some_and(|one| {
                one.carried.is_empty() && one.live.iter().any(|range| range.1 == at + 1)
            })
        };
        let mut taken = FxHashSet::default();
        for one in &analysis.takeovers {
            let is_one = ends(one.from, one.position) && begins(one.to, one.position);
            if is_one && taken.insert((one.to, one.position)) {
                found.ends.insert((one.from, one.position));
            }
        }
        let anywhere = Ranges::new();
        let all = in_place::takeovers(&analysis.program, &analysis.aliases, |buffer| {
            let is_single = plannable(buffer).is_some_and(|one| one.carried.is_empty());
            is_single.then_some(&anywhere)
        });
        for one in all {
            if begins(one.to, one.position) && taken.insert((one.to, one.position)) {
                found.possible.insert((one.from, one.position));
            }
        }
        found
    }

    /// The live ranges of a plannable buffer, in positions of a problem.
    pub fn live(&self, analysis: &Analysis<'_>, place: usize) -> Ranges {
        let plannable = &analysis.plannable[place];
        let ranges = plannable.live.iter().map(|(first, end)| {
            let last = end.saturating_sub(1);
            let is_handed = last > *first && self.ends_at(plannable.buffer, last);
            (
                2 * first + 1,
                if is_handed { 2 * last + 1 } else { 2 * end },
            )
        });
        ranges.collect()
    }

    /// Whether another buffer takes over the bytes of a buffer at a position.
    pub fn ends_at(&self, buffer: BufferId, position: Position) -> bool {
        self.ends.contains(&(buffer, position))
    }

    /// Whether another buffer could take over the bytes of a buffer at a step.
    pub fn may_end(&self, buffer: BufferId, step: &Step<'_>) -> bool {
        step.start == step.end && self.possible.contains(&(buffer, step.start))
    }
}
