//! The sets of buffers at leaves, and the bytes that are forbidden for them.

use super::super::cliques::overlap;
use super::super::overlaps::{AdjacencyLists, NumberedRanges, overlaps};
use super::{nodes, numbered_ranges};
use crate::{Buffer, Forbidden, LiveRange, Node, Problem, Refutation};

/// For each time and each clique that a leaf may name, the buffers there and the bytes forbidden
/// for them.
pub struct LeafBuffers<'a> {
    /// For each listed time that a leaf names, the buffers that are live then.
    times: AdjacencyLists,
    cliques: &'a [Vec<u32>],
    /// Forbidden bytes of each time, and of each clique. Both are empty if nothing is forbidden at
    /// any time.
    forbidden: [Vec<ByteRanges>; 2],
}

/// Disjoint byte ranges in order, as start and end.
type ByteRanges = Vec<(u64, u64)>;

impl<'a> LeafBuffers<'a> {
    pub fn new(problem: &Problem, refutation: &'a Refutation) -> Self {
        LeafBuffers {
            times: buffers_at_times(problem, refutation),
            cliques: &refutation.cliques,
            forbidden: [
                forbidden_at_times(problem, &refutation.times),
                forbidden_for_cliques(problem, &refutation.cliques),
            ],
        }
    }

    pub fn at_time(&self, time: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.forbidden[0].get(time);
        (self.times.of(time), taken.map_or(&[], Vec::as_slice))
    }

    pub fn of_clique(&self, clique: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.forbidden[1].get(clique);
        (&self.cliques[clique], taken.map_or(&[], Vec::as_slice))
    }
}

/// For each listed time that a leaf names, the buffers that are live then.
///
/// The total size of the lists is the cost. A proof names few times, each in many leaves.
fn buffers_at_times(problem: &Problem, refutation: &Refutation) -> AdjacencyLists {
    let times = &refutation.times;
    let mut named = vec![false; times.len()];
    for node in nodes(refutation) {
        if let Node::Leaf(time) = node {
            named[time as usize] = true;
        }
    }
    let points: Vec<[LiveRange; 1]> = times
        .iter()
        .map(|&time| [LiveRange::from((time, time.saturating_add(1)))])
        .collect();
    let subjects: Vec<NumberedRanges> = (0u32..)
        .zip(&points)
        .filter(|&(time, point)| named[time as usize] && point[0].start < point[0].end)
        .map(|(time, point)| (time, point.as_slice()))
        .collect();
    overlaps(
        times.len(),
        &subjects,
        &numbered_ranges(problem, Buffer::is_active),
    )
}

fn is_active_at(range: &Forbidden, time: u64) -> bool {
    let during = range.time();
    during.start <= time && time < during.end
}

/// For each listed time the bytes that are forbidden then. Empty if nothing is forbidden at any
/// time. Forbidden ranges are few.
fn forbidden_at_times(problem: &Problem, times: &[u64]) -> Vec<ByteRanges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let at = |&time: &u64| {
        let ranges = problem.forbidden.iter();
        merged(ranges.filter(|range| is_active_at(range, time)))
    };
    times.iter().map(at).collect()
}

/// For each clique the bytes that are forbidden at some time of each of its buffers.
fn forbidden_for_cliques(problem: &Problem, cliques: &[Vec<u32>]) -> Vec<ByteRanges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let of = |clique: &Vec<u32>| {
        let for_all = |range: &&Forbidden| {
            let live = |&it: &u32| &problem.buffers[it as usize].live;
            let mut members = clique.iter().map(live);
            members.all(|live| overlap(live, &[range.time()]))
        };
        merged(problem.forbidden.iter().filter(for_all))
    };
    cliques.iter().map(of).collect()
}

fn merged<'a>(ranges: impl Iterator<Item = &'a Forbidden>) -> ByteRanges {
    let mut ranges: ByteRanges = ranges.map(|range| (range.start, range.end)).collect();
    ranges.sort_unstable();
    let mut merged: ByteRanges = Vec::new();
    for (start, after) in ranges {
        match merged.last_mut() {
            Some((_, end)) if start <= *end => *end = after.max(*end),
            _ => merged.push((start, after)),
        }
    }
    merged
}
