//! Which buffers become one before they are planned, because one takes over the bytes of the other.
//!
//! Two buffers may be one where both are live only at operations at which the second takes over from
//! the first: the first ends there, and the second begins. Joined buffers are joined again with
//! others as if they were one buffer, so that chains of operations run in one place. At an operation
//! only one buffer takes over from one other.
//!
//! Candidates are looked at in the order of the text. Of two groups the one of fewer ranges is put into
//! the other: O(n log^2 n) for n ranges.

use memplan_lifetimes::{live::Ranges, program::Position};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A takeover between two different buffers, by their places: the first ends here, and the second
/// begins.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// What is read.
    pub from: usize,
    /// What is written.
    pub to: usize,
    /// Where.
    pub position: Position,
}

/// For each buffer the first one, in the order given, of those that it is one with: itself where it
/// stays alone.
pub fn join(lives: &[&Ranges], candidates: &[Candidate]) -> Vec<usize> {
    let mut groups = Groups::new(lives);
    let mut positions: FxHashMap<(usize, usize), SmallVec<[Position; 1]>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for &Candidate { from, to, position } in candidates {
        let pair = (from.min(to), from.max(to));
        let known = positions.entry(pair).or_default();
        if known.is_empty() {
            pairs.push(pair);
        }
        known.push(position);
    }
    for pair in pairs {
        groups.join(pair, &positions[&pair]);
    }
    (0..lives.len())
        .map(|buffer| groups.first(buffer))
        .collect()
}

/// Buffers that are one.
#[derive(Default)]
struct Group {
    first: usize,
    /// Start and end of each range.
    live: BTreeMap<Position, Position>,
    /// Where one of them takes over from another.
    takeovers: FxHashSet<Position>,
}

impl Group {
    /// Whether no two of both are live at once but at `allowed` positions, at which neither has a
    /// takeover already.
    fn meets(&self, smaller: &Group, allowed: &[Position]) -> bool {
        let free = |position: Position| {
            allowed.contains(&position)
                && !self.takeovers.contains(&position)
                && !smaller.takeovers.contains(&position)
        };
        smaller.live.iter().all(|(&start, &end)| {
            let overlapping = self.live.range(..end).rev();
            overlapping
                .take_while(|&(_, &other_end)| other_end > start)
                .all(|(&other_start, &other_end)| {
                    let (from, to) = (start.max(other_start), end.min(other_end));
                    (from..to).len() <= allowed.len() && (from..to).all(free)
                })
        })
    }

    fn add(&mut self, mut start: Position, mut end: Position) {
        while let Some((&other, &other_end)) = self.live.range(..=end).next_back()
            && other_end >= start
        {
            self.live.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        self.live.insert(start, end);
    }
}

struct Groups {
    /// Where to look for the group of each buffer; itself for the one that holds it.
    parent: Vec<usize>,
    groups: Vec<Group>,
}

impl Groups {
    fn new(lives: &[&Ranges]) -> Self {
        let group = |(first, live): (usize, &&Ranges)| Group {
            first,
            live: live.iter().copied().collect(),
            takeovers: FxHashSet::default(),
        };
        Groups {
            parent: (0..lives.len()).collect(),
            groups: lives.iter().enumerate().map(group).collect(),
        }
    }

    fn find(&mut self, mut buffer: usize) -> usize {
        while self.parent[buffer] != buffer {
            self.parent[buffer] = self.parent[self.parent[buffer]];
            buffer = self.parent[buffer];
        }
        buffer
    }

    fn first(&mut self, buffer: usize) -> usize {
        let group = self.find(buffer);
        self.groups[group].first
    }

    /// Joins the groups of two buffers if they may be one.
    fn join(&mut self, pair: (usize, usize), allowed: &[Position]) {
        let (mut large, mut small) = (self.find(pair.0), self.find(pair.1));
        if large == small {
            return;
        }
        if self.groups[large].live.len() < self.groups[small].live.len() {
            (large, small) = (small, large);
        }
        if !self.groups[large].meets(&self.groups[small], allowed) {
            return;
        }
        let smaller = std::mem::take(&mut self.groups[small]);
        let larger = &mut self.groups[large];
        for (start, end) in smaller.live {
            larger.add(start, end);
        }
        larger.first = larger.first.min(smaller.first);
        larger.takeovers.extend(smaller.takeovers);
        larger.takeovers.extend(allowed);
        self.parent[small] = large;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_lifetimes::live::contains;

    fn joined(
        lives: &[&[(Position, Position)]],
        candidates: &[(usize, usize, Position)],
    ) -> Vec<usize> {
        let lives: Vec<Ranges> = lives.iter().map(|live| Ranges::from_slice(live)).collect();
        let lives: Vec<&Ranges> = lives.iter().collect();
        let candidate = |&(from, to, position)| Candidate { from, to, position };
        let candidates: Vec<Candidate> = candidates.iter().map(candidate).collect();
        join(&lives, &candidates)
    }

    #[test]
    fn a_chain_becomes_one_buffer() {
        let lives: [&[_]; 4] = [&[(0, 4)], &[(3, 6)], &[(5, 9)], &[(8, 10)]];
        assert_eq!(joined(&lives, &[(0, 1, 3), (1, 2, 5), (2, 3, 8)]), [0; 4]);
        assert_eq!(joined(&lives, &[(0, 1, 3), (2, 3, 8)]), [0, 0, 2, 2]);
    }

    #[test]
    fn two_that_are_live_at_once_elsewhere_stay_apart() {
        assert_eq!(joined(&[&[(0, 9)], &[(3, 6)]], &[(0, 1, 3)]), [0, 1]);
    }

    #[test]
    fn to_and_fro_from_one_operation_to_the_next() {
        let lives: [&[_]; 2] = [&[(0, 9)], &[(3, 5)]];
        assert_eq!(joined(&lives, &[(0, 1, 3), (1, 0, 4)]), [0, 0]);
    }

    #[test]
    fn one_of_two_inputs_is_taken_over() {
        let lives: [&[_]; 3] = [&[(0, 4)], &[(1, 4)], &[(3, 6)]];
        assert_eq!(joined(&lives, &[(0, 2, 3), (1, 2, 3)]), [0, 1, 0]);
    }

    #[test]
    fn one_of_two_outputs_takes_over() {
        let lives: [&[_]; 3] = [&[(0, 4)], &[(3, 5)], &[(3, 6)]];
        assert_eq!(joined(&lives, &[(0, 1, 3), (0, 2, 3)]), [0, 0, 2]);
    }

    #[test]
    fn two_that_meet_twice_take_over_at_both_places_or_at_none() {
        let lives: [&[_]; 2] = [&[(0, 4), (7, 9)], &[(3, 6), (8, 12)]];
        assert_eq!(joined(&lives, &[(0, 1, 3), (0, 1, 8)]), [0, 0]);
        assert_eq!(joined(&lives, &[(0, 1, 3)]), [0, 1]);
    }

    #[test]
    fn members_of_a_group_that_overlap_elsewhere_stay_apart() {
        // 0 -> 1 -> 2, but 2 is live while 0 is.
        let lives: [&[_]; 3] = [&[(0, 4)], &[(3, 6)], &[(1, 3), (5, 9)]];
        assert_eq!(joined(&lives, &[(0, 1, 3), (1, 2, 5)]), [0, 0, 2]);
    }

    /// Any two members of a group are live at once only where one takes over from the other.
    #[test]
    fn random_groups_hold_what_is_asked_of_them() {
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        for turn in 0..2000u64 {
            let number = |index: u64, below: u64| random(index + 100 * turn) % below;
            let lives: Vec<Ranges> = (0..6)
                .map(|buffer| {
                    let start = number(buffer, 12) as Position;
                    let end = start + 1 + number(buffer + 10, 5) as Position;
                    let again = end + 1 + number(buffer + 20, 4) as Position;
                    let mut ranges = Ranges::from_slice(&[(start, end)]);
                    if number(buffer + 30, 2) == 0 {
                        ranges.push((again, again + 1 + number(buffer + 40, 4) as Position));
                    }
                    ranges
                })
                .collect();
            let mut candidates = Vec::new();
            for from in 0..6 {
                for to in 0..6 {
                    for position in 0..24 {
                        let both = [from, to].iter().all(|&at| contains(&lives[at], position));
                        let ends = !contains(&lives[from], position + 1);
                        let begins = position == 0 || !contains(&lives[to], position - 1);
                        let both = both && from != to && ends && begins;
                        if both && number((from * 6 + to) as u64 * 24 + u64::from(position), 3) > 0
                        {
                            candidates.push(Candidate { from, to, position });
                        }
                    }
                }
            }
            let borrowed: Vec<&Ranges> = lives.iter().collect();
            let groups = join(&borrowed, &candidates);
            for a in 0..6 {
                for b in 0..a {
                    if groups[a] != groups[b] {
                        continue;
                    }
                    for position in 0..24 {
                        if contains(&lives[a], position) && contains(&lives[b], position) {
                            let takes_over = |from: usize, to: usize| {
                                candidates.iter().any(|candidate| {
                                    (candidate.from, candidate.to, candidate.position)
                                        == (from, to, position)
                                })
                            };
                            assert!(takes_over(a, b) || takes_over(b, a), "turn {turn}");
                            let live = (0..6).filter(|&at| {
                                groups[at] == groups[a] && contains(&lives[at], position)
                            });
                            assert_eq!(live.count(), 2, "turn {turn}");
                        }
                    }
                }
            }
        }
    }
}
