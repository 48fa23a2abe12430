//! Where a buffer is certainly needed.
//!
//! A value that is one of several buffers needs one of them: at least the smallest. So only that one counts where nothing
//! else refers to them. Buffers in one place of the arena count together: one of them is needed.

use crate::merge_alloc::plan::{Arena, Slice};
use memplan_lifetimes::{
    Analysis,
    alias::Root,
    live::{Ranges, union},
    program::{BufferId, ValueId},
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The buffers of an arena.
pub struct Certain<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// Each with the bytes and the number of its place.
    places: FxHashMap<BufferId, (u64, usize)>,
    /// For each value, the place that it certainly needs, where only that refers to it.
    smallest: RefCell<FxHashMap<ValueId, Option<usize>>>,
    tied: RefCell<Vec<(usize, usize)>>,
}

impl<'a, 'c> Certain<'a, 'c> {
    /// Reads an arena.
    pub fn of(analysis: &'a Analysis<'c>, arena: &Arena) -> Self {
        let known = arena.slices.iter().filter_map(|slice| {
            let own = analysis.plannable.get(slice.plannable)?;
            Some((own.buffer, (slice.size, slice.host)))
        });
        Self {
            analysis,
            places: known.collect(),
            smallest: RefCell::default(),
            tied: RefCell::default(),
        }
    }

    /// Of the ranges in which a slice is live, those in which its buffer is certainly needed.
    pub fn live(&self, slice: &Slice, live: &Ranges) -> Ranges {
        let Some(own) = self.analysis.plannable.get(slice.plannable) else {
            return live.clone();
        };
        let parts = own.through_copies.iter();
        let uncertain = parts.filter(|part| self.smallest(part.2) != Some(slice.host));
        let uncertain = union(uncertain.map(|part| (part.0, part.1)).collect());
        without(live, &uncertain)
    }

    /// The place of the smallest buffer that a value may refer to, if it refers to nothing else.
    fn smallest(&self, value: ValueId) -> Option<usize> {
        if let Some(known) = self.smallest.borrow().get(&value) {
            return *known;
        }
        let aliases = &self.analysis.aliases;
        let known = |root: &Root| match root {
            Root::Buffer(buffer) => self.places.get(buffer).copied(),
            Root::Argument(_) => None,
        };
        let roots = aliases.roots(value);
        let all: Vec<(u64, usize)> = roots.iter().filter_map(known).collect();
        let is_all = all.len() == roots.len() && !aliases.is_unknown(value);
        let least = all.iter().min().filter(|_| is_all);
        let place = least.map(|(_, place)| *place);
        self.smallest.borrow_mut().insert(value, place);
        let mut places: Vec<usize> = all.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        places.dedup();
        let mut tied = self.tied.borrow_mut();
        for pair in places.windows(2) {
            tied.push((pair[0], pair[1]));
        }
        place
    }

    /// Pairs of places of which a value needs only one: all that such pairs connect are in arenas, or none of them is.
    pub fn tied(self) -> Vec<(usize, usize)> {
        let mut tied = self.tied.into_inner();
        tied.sort_unstable();
        tied.dedup();
        tied
    }
}

/// Ranges without others. Both are sorted and disjoint.
fn without(ranges: &Ranges, others: &Ranges) -> Ranges {
    let mut rest = Ranges::new();
    let mut next = 0;
    for &(first, end) in ranges {
        let mut from = first;
        while let Some(&(start, last)) = others.get(next).filter(|other| other.0 < end) {
            if from < start {
                rest.push((from, start));
            }
            from = from.max(last);
            if last > end {
                break;
            }
            next += 1;
        }
        if from < end {
            rest.push((from, end));
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_keeps_what_no_other_range_covers() {
        let ranges = Ranges::from_slice(&[(0, 10), (12, 20), (30, 40)]);
        let others = Ranges::from_slice(&[(2, 4), (8, 15), (18, 35), (50, 60)]);
        let rest = without(&ranges, &others);
        assert_eq!(rest.as_slice(), [(0, 2), (4, 8), (15, 18), (35, 40)]);
    }
}
