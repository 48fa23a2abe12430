//! Pairs of live range lists that overlap in time.

use crate::LiveRange;
use std::collections::BTreeSet;

/// A number and its live ranges.
pub type NumberedRanges<'a> = (u32, &'a [LiveRange]);

/// Adjacency lists: one list of numbers for each number from 0.
#[derive(Debug)]
pub struct AdjacencyLists {
    /// The start of each number's list in `members`, and the end of the last.
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl AdjacencyLists {
    /// The list of `number`, sorted.
    pub fn of(&self, number: usize) -> &[u32] {
        &self.members[self.starts[number]..self.starts[number + 1]]
    }
}

/// For each of `count` subjects the objects whose live ranges overlap with its own.
///
/// A sweep over time that handles ends before starts. O(n log n + the number of overlapping pairs).
pub fn overlaps(
    count: usize,
    subjects: &[NumberedRanges],
    objects: &[NumberedRanges],
) -> AdjacencyLists {
    let mut events = Vec::new();
    for (is_object, things) in [(false, subjects), (true, objects)] {
        for &(number, ranges) in things {
            for range in ranges {
                events.push((range.start, true, is_object, number));
                events.push((range.end, false, is_object, number));
            }
        }
    }
    events.sort_unstable();
    let mut there = [BTreeSet::new(), BTreeSet::new()];
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (_, starts, is_object, number) in events {
        let side = usize::from(is_object);
        if !starts {
            there[side].remove(&number);
            continue;
        }
        there[side].insert(number);
        let others = there[1 - side].iter();
        if is_object {
            pairs.extend(others.map(|&subject| (subject, number)));
        } else {
            pairs.extend(others.map(|&object| (number, object)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup(); // those that overlap again after a hole
    let mut starts = vec![0; count + 1];
    for &(subject, _) in &pairs {
        starts[subject as usize + 1] += 1;
    }
    for number in 0..count {
        starts[number + 1] += starts[number];
    }
    let members = pairs.into_iter().map(|(_, object)| object).collect();
    AdjacencyLists { starts, members }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(all: &[(u64, u64)]) -> Vec<LiveRange> {
        all.iter().copied().map(LiveRange::from).collect()
    }

    #[test]
    fn ranges_overlap_where_they_share_a_point_in_time() {
        let first = ranges(&[(0, 2), (4, 6)]);
        let hole = ranges(&[(2, 4)]);
        let twice = ranges(&[(1, 5)]);
        let point = ranges(&[(5, 6)]);
        let lists = overlaps(
            3,
            &[(0, &first), (2, &point)],
            &[(7, &twice), (8, &hole), (9, &first)],
        );
        assert_eq!(lists.of(0), [7, 9]);
        assert_eq!(lists.of(1), []);
        assert_eq!(lists.of(2), [9]);
    }
}
