//! Which buffers become one before they are planned, because no two of them are needed at once.
//!
//! Two buffers may be one where both are live only at operations at which the second takes over from
//! the first: the first ends there, and the second begins. At an operation only one buffer takes over
//! from one other. And where both are live only because the same value may refer to either of them,
//! such as the result of a branch that makes one or the other: what the value does not refer to is not
//! needed. Joined buffers are joined again with others as if they were one buffer, so that chains of
//! operations run in one place.
//!
//! Candidates are looked at in the order of the text. Of two groups the one of fewer ranges is put into
//! the other: O(n log^2 n) for n ranges.

use memplan_flow::{UnionFind, ids};
use memplan_lifetimes::{
    live::Ranges,
    program::{Position, ValueId},
};
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

/// When a buffer is live.
#[derive(Clone, Copy, Debug)]
pub struct Life<'l> {
    /// All of it.
    pub live: &'l Ranges,
    /// The parts in which it is needed through one value alone.
    pub through_one: &'l [(Position, Position, ValueId)],
    /// Buffers of the same class may be one; those of none stay alone.
    pub class: Option<u64>,
}

/// Groups that one more is held against, of those that meet it in one value.
const TRIES: usize = 8;

/// For each buffer the first one, in the order given, of those that it is one with: itself where it
/// stays alone.
pub fn join(lives: &[Life<'_>], candidates: &[Candidate]) -> Vec<usize> {
    let mut groups = Groups::new(lives);
    groups.join_takeovers(candidates);
    groups.join_exclusive(lives);
    (0..lives.len())
        .map(|buffer| groups.first(buffer))
        .collect()
}

/// How a group is needed: through one value, or in any other way.
type LiveThrough = Option<ValueId>;

/// Buffers that are one.
#[derive(Default)]
struct Group {
    /// Start, and end and way, of each range; disjoint.
    live: BTreeMap<Position, (Position, LiveThrough)>,
    /// Where one of them takes over from another.
    takeovers: FxHashSet<Position>,
}

impl Group {
    fn new(life: &Life<'_>) -> Self {
        let mut group = Group::default();
        for &(start, end, through) in life.through_one {
            group.add(start, end, Some(through));
        }
        for &(start, end) in life.live {
            group.add(start, end, None);
        }
        group
    }

    /// The ranges that overlap one, from the last to the first.
    fn overlapping(
        &self,
        start: Position,
        end: Position,
    ) -> impl Iterator<Item = (Position, Position, LiveThrough)> {
        let before = self.live.range(..end).rev();
        let ranges = before.map(|(&start, &(end, way))| (start, end, way));
        ranges.take_while(move |&(_, other_end, _)| other_end > start)
    }

    /// Whether no two of both are needed at once: where both are live, either through the same value,
    /// which is one of them only, or at `allowed` positions, at which neither has a takeover already.
    fn meets(&self, smaller: &Group, allowed: &[Position]) -> bool {
        let free = |position: Position| {
            allowed.contains(&position)
                && !self.takeovers.contains(&position)
                && !smaller.takeovers.contains(&position)
        };
        smaller.live.iter().all(|(&start, &(end, way))| {
            self.overlapping(start, end)
                .all(|(other_start, other_end, other_way)| {
                    let (from, to) = (start.max(other_start), end.min(other_end));
                    (way.is_some() && way == other_way)
                        || (from..to).len() <= allowed.len() && (from..to).all(free)
                })
        })
    }

    /// Adds a range, but for what is there in another way already.
    fn add(&mut self, start: Position, end: Position, way: LiveThrough) {
        let mut end = end;
        let others: Vec<_> = self.overlapping(start, end).collect();
        for (other_start, other_end, other_way) in others {
            if other_way != way {
                self.add_joined(other_end.max(start), end, way);
                end = other_start;
            }
        }
        self.add_joined(start, end, way);
    }

    /// Adds a range that overlaps ranges of the same way only, and joins it with these.
    fn add_joined(&mut self, mut start: Position, mut end: Position, way: LiveThrough) {
        if start >= end {
            return;
        }
        while let Some((&other, &(other_end, other_way))) = self.live.range(..end).next_back()
            && other_end >= start
            && other_way == way
        {
            self.live.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        if let Some(&(other_end, other_way)) = self.live.get(&end)
            && other_way == way
        {
            self.live.remove(&end);
            end = other_end;
        }
        self.live.insert(start, (end, way));
    }
}

ids! {
    /// A buffer, by its place.
    Buffer,
}

struct Groups {
    sets: UnionFind<Buffer>,
    /// The group of each buffer that is the first one of its group.
    groups: Vec<Group>,
}

impl Groups {
    fn new(lives: &[Life<'_>]) -> Self {
        Groups {
            sets: UnionFind::with_capacity(lives.len()),
            groups: lives.iter().map(Group::new).collect(),
        }
    }

    /// The first buffer of the group of one.
    fn first(&mut self, buffer: usize) -> usize {
        self.sets.find(Buffer::new(buffer)).index()
    }

    fn join_takeovers(&mut self, candidates: &[Candidate]) {
        let mut positions: FxHashMap<(usize, usize), SmallVec<[Position; 1]>> =
            FxHashMap::default();
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
            self.join(pair, &positions[&pair]);
        }
    }

    /// Joins buffers that one value may refer to, where no more than one of them is needed at a time.
    fn join_exclusive(&mut self, lives: &[Life<'_>]) {
        let mut meeting: FxHashMap<(ValueId, u64), Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        for (buffer, life) in lives.iter().enumerate() {
            let Some(class) = life.class else { continue };
            // What one value hands on to another could be followed, but `memplan-verify` does not.
            let mut values = life.through_one.iter().map(|part| part.2);
            let Some(value) = values
                .next()
                .filter(|first| values.all(|value| value == *first))
            else {
                continue;
            };
            let all = meeting.entry((value, class)).or_default();
            if all.is_empty() {
                order.push((value, class));
            }
            all.push(buffer);
        }
        for key in order {
            let mut kept: Vec<usize> = Vec::new();
            for &buffer in &meeting[&key] {
                let tries = kept.iter().rev().take(TRIES);
                if !tries
                    .into_iter()
                    .any(|&other| self.join((other, buffer), &[]))
                {
                    kept.push(buffer);
                }
            }
        }
    }

    /// Joins the groups of two buffers if they may be one; whether they are one now.
    fn join(&mut self, pair: (usize, usize), allowed: &[Position]) -> bool {
        let (mut large, mut small) = (self.first(pair.0), self.first(pair.1));
        if large == small {
            return true;
        }
        if self.groups[large].live.len() < self.groups[small].live.len() {
            (large, small) = (small, large);
        }
        if !self.groups[large].meets(&self.groups[small], allowed) {
            return false;
        }
        let smaller = std::mem::take(&mut self.groups[small]);
        let mut larger = std::mem::take(&mut self.groups[large]);
        for (start, (end, way)) in smaller.live {
            larger.add(start, end, way);
        }
        larger.takeovers.extend(smaller.takeovers);
        larger.takeovers.extend(allowed);
        self.sets.unite(Buffer::new(large), Buffer::new(small));
        self.groups[large.min(small)] = larger;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_lifetimes::live::contains;

    fn own(live: &Ranges) -> Life<'_> {
        Life {
            live,
            through_one: &[],
            class: Some(8),
        }
    }

    fn joined(
        lives: &[&[(Position, Position)]],
        candidates: &[(usize, usize, Position)],
    ) -> Vec<usize> {
        let lives: Vec<Ranges> = lives.iter().map(|live| Ranges::from_slice(live)).collect();
        let lives: Vec<Life<'_>> = lives.iter().map(own).collect();
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

    fn meeting(
        lives: &[&[(Position, Position)]],
        alone: &[&[(Position, Position, u32)]],
    ) -> Vec<usize> {
        let lives: Vec<Ranges> = lives.iter().map(|live| Ranges::from_slice(live)).collect();
        let through = |&(start, end, value): &(u32, u32, u32)| (start, end, ValueId(value));
        let alone: Vec<Vec<_>> = alone
            .iter()
            .map(|parts| parts.iter().map(through).collect())
            .collect();
        let life = |(live, through_one)| Life {
            live,
            through_one,
            class: Some(8),
        };
        let lives: Vec<Life<'_>> = lives
            .iter()
            .zip(alone.iter().map(Vec::as_slice))
            .map(life)
            .collect();
        join(&lives, &[])
    }

    #[test]
    fn what_one_value_may_be_is_one_buffer() {
        // Made in two branches, needed after them through what they yield.
        let lives: [&[_]; 3] = [&[(1, 4), (9, 12)], &[(5, 8), (9, 12)], &[(6, 7), (9, 12)]];
        let after: [&[_]; 3] = [&[(9, 12, 5)], &[(9, 12, 5)], &[(9, 12, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 0, 2]);
        // The first is needed through another value, too.
        let after: [&[_]; 3] = [&[], &[(9, 12, 5)], &[(9, 12, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 1, 2]);
        // Through two values, one of which is either.
        let after: [&[_]; 3] = [&[(9, 12, 5)], &[(9, 12, 6)], &[]];
        assert_eq!(meeting(&lives, &after), [0, 1, 2]);
    }

    #[test]
    fn a_part_in_another_way_keeps_them_apart() {
        let lives: [&[_]; 2] = [&[(1, 4), (9, 12)], &[(5, 8), (9, 13)]];
        let after: [&[_]; 2] = [&[(9, 12, 5)], &[(9, 11, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 1]);
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
            let borrowed: Vec<Life<'_>> = lives.iter().map(own).collect();
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
