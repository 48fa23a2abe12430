//! Coalesces buffers of which no two are needed at once, before they are planned.
//!
//! Two buffers may be coalesced if both are live only at operations at which the second reuses the bytes of
//! the first: the live range of the first ends there, and that of the second begins. At each operation, a
//! buffer reuses the bytes of at most one other. They may also be coalesced if both are live only because the
//! same value may refer to either, such as the result of a branch that allocates one or the other: the one
//! that it does not refer to is not needed. Coalesced buffers are coalesced with further ones as if they were
//! one buffer, so that chains of operations run in place.
//!
//! Candidates are visited in program order. Of two groups, the one with fewer ranges is merged into the
//! other: O(n log^2 n) for n ranges.

use memplan_flow::{UnionFind, ids};
use memplan_lifetimes::{
    live::Ranges,
    program::{Position, ValueId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A takeover between two different buffers, by their indices: the live range of the first ends here, and
/// that of the second begins.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The buffer that is read.
    pub from: usize,
    /// The buffer that is written.
    pub to: usize,
    /// The operation.
    pub position: Position,
}

/// Liveness of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Life<'l> {
    /// All live ranges.
    pub live: &'l Ranges,
    /// Parts of these in which only one value needs it.
    pub through_one: &'l [(Position, Position, ValueId)],
    /// Only buffers of the same class are coalesced; those without a class never are.
    pub class: Option<Class>,
}

/// Class of buffers that may be coalesced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    /// Bytes.
    pub size: u64,
    /// The group of buffers to which it is limited, if the plan is given.
    pub group: Option<u64>,
}

impl Class {
    /// The class of buffers of this size that no given plan concerns.
    pub const fn of_size(size: u64) -> Self {
        Self { size, group: None }
    }
}

/// Number of groups with which a buffer is compared, of those that share a value with it.
const TRIES: usize = 8;

/// For each buffer, the first buffer of its group, in the given order: itself if it is not coalesced.
pub fn join(lives: &[Life<'_>], candidates: &[Candidate]) -> Vec<usize> {
    let mut groups = Groups::new(lives);
    groups.join_takeovers(candidates);
    groups.join_exclusive(lives, |class| class);
    groups.firsts()
}

/// The same, where buffers that one value may refer to may also differ in size. A group takes as many bytes as its
/// largest buffer, so that there may be a better plan without that.
pub fn join_any_size(lives: &[Life<'_>], candidates: &[Candidate]) -> Vec<usize> {
    let mut groups = Groups::new(lives);
    groups.join_takeovers(candidates);
    groups.join_exclusive(lives, |class| class);
    groups.join_exclusive(lives, |class| Class { size: 0, ..class });
    groups.firsts()
}

/// The one value that needs a group; `None` if it is needed otherwise.
type LiveThrough = Option<ValueId>;

/// A group of coalesced buffers.
#[derive(Default)]
struct Group {
    /// Start, end and needing value of each range; disjoint.
    live: BTreeMap<Position, (Position, LiveThrough)>,
    /// Positions of takeovers within the group.
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

    /// Ranges that overlap a range, from the last to the first.
    fn overlapping(
        &self,
        start: Position,
        end: Position,
    ) -> impl Iterator<Item = (Position, Position, LiveThrough)> {
        let before = self.live.range(..end).rev();
        let ranges = before.map(|(&start, &(end, value))| (start, end, value));
        ranges.take_while(move |&(_, other_end, _)| other_end > start)
    }

    /// Whether the groups can be merged: wherever both are live, the same value needs either, or the position
    /// is in `allowed` and neither group has a takeover there.
    fn meets(&self, smaller: &Group, allowed: &[Position]) -> bool {
        let free = |position: Position| {
            allowed.contains(&position)
                && !self.takeovers.contains(&position)
                && !smaller.takeovers.contains(&position)
        };
        smaller.live.iter().all(|(&start, &(end, value))| {
            self.overlapping(start, end)
                .all(|(other_start, other_end, other_value)| {
                    let (from, to) = (start.max(other_start), end.min(other_end));
                    (value.is_some() && value == other_value)
                        || (from..to).len() <= allowed.len() && (from..to).all(free)
                })
        })
    }

    /// Adds the parts of a range that no range with another needing value covers.
    fn add(&mut self, start: Position, end: Position, value: LiveThrough) {
        let mut end = end;
        let others: Vec<_> = self.overlapping(start, end).collect();
        for (other_start, other_end, other_value) in others {
            if other_value != value {
                self.add_joined(other_end.max(start), end, value);
                end = other_start;
            }
        }
        self.add_joined(start, end, value);
    }

    /// Adds a range that overlaps only ranges with the same needing value, and merges it with these.
    fn add_joined(&mut self, mut start: Position, mut end: Position, value: LiveThrough) {
        if start >= end {
            return;
        }
        while let Some((&other, &(other_end, other_value))) = self.live.range(..end).next_back()
            && other_end >= start
            && other_value == value
        {
            self.live.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        if let Some(&(other_end, other_value)) = self.live.get(&end)
            && other_value == value
        {
            self.live.remove(&end);
            end = other_end;
        }
        self.live.insert(start, (end, value));
    }
}

ids! {
    /// A buffer, by index.
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

    /// For each buffer, the first one of its group.
    fn firsts(mut self) -> Vec<usize> {
        let buffers = 0..self.groups.len();
        buffers.map(|buffer| self.first(buffer)).collect()
    }

    /// The first buffer of a buffer's group.
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

    /// Coalesces buffers that one value may refer to, if only one of them is needed at a time, and if `key` gives the
    /// same for their classes.
    fn join_exclusive(&mut self, lives: &[Life<'_>], key: impl Fn(Class) -> Class) {
        let mut meeting: FxHashMap<(ValueId, Class), Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        for (buffer, life) in lives.iter().enumerate() {
            let Some(class) = life.class.map(&key) else {
                continue;
            };
            // In a chain of branches, a value is forwarded to the next one: a buffer is needed through several.
            let mut values: SmallVec<[ValueId; 2]> =
                life.through_one.iter().map(|part| part.2).collect();
            values.sort_unstable();
            values.dedup();
            for value in values {
                let all = meeting.entry((value, class)).or_default();
                if all.is_empty() {
                    order.push((value, class));
                }
                all.push(buffer);
            }
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

    /// Merges the groups of two buffers if possible; returns whether they are in one group.
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
        for (start, (end, value)) in smaller.live {
            larger.add(start, end, value);
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
            class: Some(Class::of_size(8)),
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
            class: Some(Class::of_size(8)),
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
        // Allocated in two branches, and needed after them through their results.
        let lives: [&[_]; 3] = [&[(1, 4), (9, 12)], &[(5, 8), (9, 12)], &[(6, 7), (9, 12)]];
        let after: [&[_]; 3] = [&[(9, 12, 5)], &[(9, 12, 5)], &[(9, 12, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 0, 2]);
        // Another value needs the first one, too.
        let after: [&[_]; 3] = [&[], &[(9, 12, 5)], &[(9, 12, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 1, 2]);
        // Two values need them, one of which may be either.
        let after: [&[_]; 3] = [&[(9, 12, 5)], &[(9, 12, 6)], &[]];
        assert_eq!(meeting(&lives, &after), [0, 1, 2]);
    }

    #[test]
    fn a_part_in_another_way_keeps_them_apart() {
        let lives: [&[_]; 2] = [&[(1, 4), (9, 12)], &[(5, 8), (9, 13)]];
        let after: [&[_]; 2] = [&[(9, 12, 5)], &[(9, 11, 5)]];
        assert_eq!(meeting(&lives, &after), [0, 1]);
    }

    /// Two members of a group are live at once only at a takeover.
    #[test]
    fn random_groups_hold_what_is_asked_of_them() {
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        for round in 0..2000u64 {
            let number = |index: u64, below: u64| random(index + 100 * round) % below;
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
                            assert!(takes_over(a, b) || takes_over(b, a), "round {round}");
                            let live = (0..6).filter(|&at| {
                                groups[at] == groups[a] && contains(&lives[at], position)
                            });
                            assert_eq!(live.count(), 2, "round {round}");
                        }
                    }
                }
            }
        }
    }
}
