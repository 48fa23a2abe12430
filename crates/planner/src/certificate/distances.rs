//! Replays trees over the distances of buffers, which have windows.
//!
//! # Why a tree proves its bound
//!
//! The *distance* of two buffers is the difference of their offsets, a multiple of the greatest common divisor of their
//! alignments. Each pair of times at which both use bytes excludes the distances at which these bytes meet: an open
//! interval. The two cases of a split contain every distance that is left: at least the least of them from a given one
//! on, or at most the greatest of them below it. So each plan is in a leaf.
//!
//! In a leaf, each case gives the offset of one buffer a least distance above that of another one. Where a buffer lies at
//! `low` or higher, the other one lies at the least possible offset from `low` plus the distance on, or higher. This is
//! repeated until nothing changes; to stop earlier gives lower offsets, which hold, too. A circle of distances whose sum
//! is positive has no plan. In the end no buffer ends below its `low` plus its size. Bytes that are in use at the same
//! time are disjoint, and those from a height on need their sum above it.
//!
//! Distances, offsets and times of all buffers are compared in pairs, O(n²): the search writes such trees for at most 64
//! buffers.

use super::DistanceNode;
use super::error::CertificateError;
use super::obstacles::NO_OFFSET;
use crate::{Buffer, LiveRange, Problem};
use std::collections::BTreeMap;

/// The bound in bytes that these nodes prove for `problem`, which must be valid.
pub fn bound(problem: &Problem, nodes: &[DistanceNode]) -> Result<u64, CertificateError> {
    let state = State::new(problem);
    let mut pairs: BTreeMap<(u32, u32), Excluded> = BTreeMap::new();
    let mut cases: Vec<Case> = Vec::new();
    // For each of them the other case, if it is still to come.
    let mut open: Vec<Option<Case>> = Vec::new();
    let mut bound = NO_OFFSET;
    for (node, step) in nodes.iter().enumerate() {
        if let DistanceNode::Split {
            upper,
            lower,
            distance,
        } = *step
        {
            for position in [upper, lower] {
                if upper == lower || !state.is_free(position) {
                    return Err(CertificateError::NotPlaceable { node, position });
                }
            }
            let excluded = pairs.entry((upper, lower)).or_insert_with(|| {
                let of = |position: u32| &problem.buffers[position as usize];
                Excluded::distances(of(upper), of(lower))
            });
            let distance = i128::from(distance);
            cases.push(Case {
                upper,
                lower,
                distance: excluded.least_from(distance),
            });
            open.push(Some(Case {
                upper: lower,
                lower: upper,
                distance: -excluded.greatest_to(distance - 1),
            }));
            continue;
        }
        bound = bound.min(state.end(&cases));
        while let Some(None) = open.last() {
            open.pop();
            cases.pop();
        }
        match (open.last_mut().and_then(Option::take), cases.last_mut()) {
            (Some(other), Some(case)) => *case = other,
            _ => {
                let end = node + 1;
                return match end < nodes.len() {
                    true => Err(CertificateError::Trailing { node: end }),
                    false => Ok(bound),
                };
            }
        }
    }
    let nodes = nodes.len();
    Err(CertificateError::Truncated { nodes })
}

/// The offset of `upper` is at least that of `lower` plus `distance`, which may be negative.
#[derive(Clone, Copy)]
struct Case {
    upper: u32,
    lower: u32,
    distance: i128,
}

/// Numbers that are no multiples of `step`, or in open intervals.
struct Excluded {
    step: i128,
    /// Sorted and disjoint; both ends are multiples of `step` and not excluded.
    intervals: Vec<(i128, i128)>,
}

impl Excluded {
    fn new(step: u64, intervals: impl Iterator<Item = (i128, i128)>) -> Self {
        let step = i128::from(step);
        let rounded = intervals.map(|(above, below)| {
            let down = above - above.rem_euclid(step);
            let up = below + (-below).rem_euclid(step);
            (down, up)
        });
        let mut all: Vec<(i128, i128)> = rounded.collect();
        all.sort_unstable();
        let mut intervals: Vec<(i128, i128)> = Vec::new();
        for (above, below) in all {
            match intervals.last_mut() {
                Some(last) if above < last.1 => last.1 = last.1.max(below),
                _ => intervals.push((above, below)),
            }
        }
        Excluded { step, intervals }
    }

    /// The distances of two buffers at which they share a byte.
    fn distances(upper: &Buffer, lower: &Buffer) -> Self {
        let pairs = upper.uses().flat_map(|(time, low, high)| {
            let others = lower.uses().filter(move |(other, ..)| meet(&time, other));
            others.map(move |(_, bottom, top)| {
                let (low, high) = (i128::from(low), i128::from(high));
                (i128::from(bottom) - high, i128::from(top) - low)
            })
        });
        let (mut step, mut rest) = (upper.alignment, lower.alignment);
        while rest > 0 {
            (step, rest) = (rest, step % rest);
        }
        Excluded::new(step, pairs)
    }

    /// The offsets of a buffer at which it has a byte of a fixed buffer or of a forbidden range.
    fn offsets(problem: &Problem, buffer: &Buffer) -> Self {
        let fixed = problem.buffers.iter().filter_map(|other| {
            let offset = i128::from(other.fixed_offset?);
            let uses = other.uses().map(move |(time, low, high)| {
                (time, offset + i128::from(low), offset + i128::from(high))
            });
            other.is_active().then_some(uses)
        });
        let forbidden = problem.forbidden.iter();
        let forbidden =
            forbidden.map(|range| (range.time(), i128::from(range.start), i128::from(range.end)));
        let taken: Vec<(LiveRange, i128, i128)> = fixed.flatten().chain(forbidden).collect();
        let intervals = buffer.uses().flat_map(|(time, low, high)| {
            let met = taken.iter().filter(move |(other, ..)| meet(&time, other));
            met.map(move |(_, start, end)| (start - i128::from(high), end - i128::from(low)))
        });
        Excluded::new(buffer.alignment, intervals)
    }

    /// The least number from this one on that is not excluded.
    fn least_from(&self, number: i128) -> i128 {
        let number = number + (-number).rem_euclid(self.step);
        let at = self
            .intervals
            .partition_point(|&(_, below)| below <= number);
        match self.intervals.get(at) {
            Some(&(above, below)) if above < number => below,
            _ => number,
        }
    }

    /// The greatest number up to this one that is not excluded.
    fn greatest_to(&self, number: i128) -> i128 {
        let number = number - number.rem_euclid(self.step);
        let at = self
            .intervals
            .partition_point(|&(_, below)| below <= number);
        match self.intervals.get(at) {
            Some(&(above, _)) if above < number => above,
            _ => number,
        }
    }
}

fn meet(one: &LiveRange, other: &LiveRange) -> bool {
    one.start < other.end && other.start < one.end
}

/// Bytes that are in use at some time: position of the buffer, first byte, number of bytes.
type UsedBytes = (u32, u64, u64);

/// What holds in all leaves.
struct State<'a> {
    problem: &'a Problem,
    /// For each buffer the possible offsets; `None` for those that are fixed or use nothing.
    excluded: Vec<Option<Excluded>>,
    /// The least offset of each buffer.
    low: Vec<i128>,
    /// For each time at which a use starts, what is in use then.
    at_once: Vec<Vec<UsedBytes>>,
}

impl<'a> State<'a> {
    fn new(problem: &'a Problem) -> Self {
        let excluded = problem.buffers.iter().map(|buffer| {
            let is_free = buffer.is_active() && buffer.fixed_offset.is_none();
            is_free.then(|| Excluded::offsets(problem, buffer))
        });
        let excluded: Vec<Option<Excluded>> = excluded.collect();
        let low = problem.buffers.iter().zip(&excluded);
        let low = low.map(|(buffer, excluded)| match excluded {
            Some(excluded) => excluded.least_from(0),
            None => buffer.fixed_offset.unwrap_or(0).into(),
        });
        let active = || {
            (0u32..)
                .zip(&problem.buffers)
                .filter(|(_, it)| it.is_active())
        };
        let starts = active().flat_map(|(_, buffer)| buffer.uses().map(|(time, ..)| time.start));
        let mut starts: Vec<u64> = starts.collect();
        starts.sort_unstable();
        starts.dedup();
        let at_once = starts.iter().map(|&start| {
            let uses = active().flat_map(|(position, buffer)| {
                let uses = buffer.uses();
                let now = uses.filter(|(time, ..)| time.start <= start && start < time.end);
                now.map(move |(_, low, high)| (position, low, high - low))
            });
            uses.collect()
        });
        State {
            low: low.collect(),
            at_once: at_once.collect(),
            problem,
            excluded,
        }
    }

    /// Whether there is such a buffer, and it uses bytes and is not fixed.
    fn is_free(&self, position: u32) -> bool {
        let excluded = self.excluded.get(position as usize);
        excluded.is_some_and(Option::is_some)
    }

    /// The least end of all buffers in these cases; [`NO_OFFSET`] if there is no plan.
    fn end(&self, cases: &[Case]) -> u64 {
        let Some(low) = self.least_offsets(cases) else {
            return NO_OFFSET;
        };
        let buffers = self.problem.buffers.iter().zip(&low);
        let ends = buffers.map(|(buffer, low)| low + i128::from(buffer.size));
        let mut end = ends.max().unwrap_or(0);
        for uses in &self.at_once {
            let bytes = uses.iter().map(|&(position, first, bytes)| {
                (
                    low[position as usize] + i128::from(first),
                    i128::from(bytes),
                )
            });
            let mut bytes: Vec<(i128, i128)> = bytes.collect();
            bytes.sort_unstable();
            let stack = |top: i128, &(first, bytes): &(i128, i128)| top.max(first) + bytes;
            end = end.max(bytes.iter().fold(0, stack));
        }
        u64::try_from(end).unwrap_or(NO_OFFSET)
    }

    /// The least offsets in these cases; `None` if there is no plan.
    fn least_offsets(&self, cases: &[Case]) -> Option<Vec<i128>> {
        let mut low = self.low.clone();
        // A path without circles takes each case at most once. More rounds can be necessary where alignments differ.
        for round in 0..4 * cases.len() + 64 {
            let mut is_changed = false;
            for case in cases {
                let least = low[case.lower as usize] + case.distance;
                if least > low[case.upper as usize] {
                    let excluded = self.excluded[case.upper as usize].as_ref()?;
                    low[case.upper as usize] = excluded.least_from(least);
                    is_changed = true;
                }
            }
            if !is_changed {
                break;
            }
            if round == cases.len() && self.has_positive_circle(cases) {
                return None;
            }
        }
        Some(low)
    }

    fn has_positive_circle(&self, cases: &[Case]) -> bool {
        let mut low = vec![0; self.low.len()];
        for _ in 0..=cases.len() {
            let mut is_changed = false;
            for case in cases {
                let least = low[case.lower as usize] + case.distance;
                if least > low[case.upper as usize] {
                    low[case.upper as usize] = least;
                    is_changed = true;
                }
            }
            if !is_changed {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first uses only its lowest two bytes while the second is live. The third is fixed.
    fn problem() -> Problem {
        Problem::new(vec![
            Buffer::new(0, 8, [(0, 1)]).with_window((1, 2), 0, 2),
            Buffer::new(1, 6, [(1, 2)]),
            Buffer::new(2, 1, [(8, 9)]).fixed_at(3),
            Buffer::new(3, 0, [(0, 9)]),
        ])
        .expect("a valid problem")
    }

    const LEAF: DistanceNode = DistanceNode::Leaf;

    fn split(upper: u32, lower: u32, distance: i64) -> DistanceNode {
        DistanceNode::Split {
            upper,
            lower,
            distance,
        }
    }

    #[test]
    fn a_split_leaves_out_the_distances_at_which_two_buffers_meet() {
        let problem = problem();
        let state = State::new(&problem);
        let excluded = Excluded::distances(&problem.buffers[0], &problem.buffers[1]);
        assert_eq!(excluded.intervals, [(-2, 6)]);
        for distance in -1..=6 {
            let (least, most) = (
                excluded.least_from(distance),
                excluded.greatest_to(distance - 1),
            );
            assert_eq!((least, most), (6, -2));
        }
        assert_eq!((excluded.least_from(-2), excluded.greatest_to(6)), (-2, 6));
        let case = |upper, lower, distance| Case {
            upper,
            lower,
            distance,
        };
        assert_eq!(state.end(&[]), 8);
        assert_eq!(state.end(&[case(0, 1, 6)]), 14);
        assert_eq!(state.end(&[case(1, 0, 2)]), 8);
        assert_eq!(state.end(&[case(0, 1, 6), case(1, 0, 2)]), NO_OFFSET);
    }

    #[test]
    fn distances_are_multiples_of_the_alignment() {
        let excluded = Excluded::new(4, [(-3, 5), (9, 10), (12, 13)].into_iter());
        assert_eq!(excluded.intervals, [(-4, 8), (8, 12), (12, 16)]);
        assert_eq!((excluded.least_from(-3), excluded.greatest_to(7)), (8, -4));
        assert_eq!((excluded.least_from(9), excluded.greatest_to(11)), (12, 8));
        assert_eq!(
            (excluded.least_from(17), excluded.greatest_to(-5)),
            (20, -8)
        );
    }

    #[test]
    fn offsets_are_clear_of_what_is_fixed_or_forbidden() {
        let problem = Problem::new(vec![
            Buffer::new(0, 8, [(0, 1)]).with_window((1, 2), 4, 6),
            Buffer::new(1, 9, [(1, 2)]).fixed_at(5),
        ]);
        let problem = problem.expect("valid");
        let low = |problem: &Problem| State::new(problem).low[0];
        assert_eq!(low(&problem), 10);
        let forbidden = crate::Forbidden::new(12, 14).during(0, 1);
        assert_eq!(low(&problem.with_forbidden(forbidden)), 14);
    }

    #[test]
    fn the_bound_is_the_least_of_the_leaves() {
        let bound = |nodes: &[DistanceNode]| bound(&problem(), nodes);
        assert_eq!(bound(&[LEAF]), Ok(8));
        assert_eq!(bound(&[split(0, 1, 3), LEAF, LEAF]), Ok(8));
        // Both lie above each other in one leaf, and the first at least ten bytes above the second in the other.
        let nested = [split(0, 1, 10), LEAF, split(1, 0, -2), LEAF, LEAF];
        assert_eq!(bound(&nested), Ok(8));
    }

    #[test]
    fn an_invalid_tree_is_an_error() {
        let bound = |nodes: &[DistanceNode]| bound(&problem(), nodes);
        let cut = |nodes| Err(CertificateError::Truncated { nodes });
        assert_eq!(bound(&[]), cut(0));
        assert_eq!(bound(&[split(0, 1, 0), LEAF]), cut(2));
        assert_eq!(
            bound(&[LEAF, LEAF]),
            Err(CertificateError::Trailing { node: 1 })
        );
        for (upper, lower, position) in [(0, 0, 0), (0, 2, 2), (3, 1, 3), (1, 4, 4)] {
            assert_eq!(
                bound(&[split(upper, lower, 0), LEAF, LEAF]),
                Err(CertificateError::NotPlaceable { node: 0, position })
            );
        }
        let huge = [
            split(0, 1, i64::MAX),
            LEAF,
            split(0, 1, i64::MIN),
            LEAF,
            LEAF,
        ];
        assert_eq!(bound(&huge), Ok(8));
    }
}
