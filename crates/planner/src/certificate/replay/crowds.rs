//! The buffers that no leaf may let share a byte, and the bytes that are not theirs.

use super::super::cliques::meet;
use super::super::meetings::{Lists, Presence, meetings};
use super::{nodes, presences};
use crate::{Buffer, Forbidden, LiveRange, Node, Problem, Refutation};

/// The buffers that no leaf may let share a byte, and the bytes that are not theirs.
pub struct Crowds<'a> {
    /// For each listed time that a leaf names the buffers that are live then.
    times: Lists,
    cliques: &'a [Vec<u32>],
    /// For times, and for cliques; empty where nothing is forbidden at any time.
    taken: [Vec<Ranges>; 2],
}

/// Bytes from and up to, as ranges that share none, in order.
type Ranges = Vec<(u64, u64)>;

impl<'a> Crowds<'a> {
    pub fn new(problem: &Problem, refutation: &'a Refutation) -> Self {
        Crowds {
            times: crowds(problem, refutation),
            cliques: &refutation.cliques,
            taken: [
                taken(problem, &refutation.times),
                taken_of(problem, &refutation.cliques),
            ],
        }
    }

    pub fn at(&self, time: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.taken[0].get(time);
        (self.times.of(time), taken.map_or(&[], Vec::as_slice))
    }

    pub fn clique(&self, clique: usize) -> (&[u32], &[(u64, u64)]) {
        let taken = self.taken[1].get(clique);
        (&self.cliques[clique], taken.map_or(&[], Vec::as_slice))
    }
}

/// For each listed time that a leaf names the buffers that are live then.
///
/// As large as all these together; a proof names few times, each for many leaves.
fn crowds(problem: &Problem, refutation: &Refutation) -> Lists {
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
    let subjects: Vec<Presence> = (0u32..)
        .zip(&points)
        .filter(|&(time, point)| named[time as usize] && point[0].start < point[0].end)
        .map(|(time, point)| (time, point.as_slice()))
        .collect();
    meetings(
        times.len(),
        &subjects,
        &presences(problem, Buffer::is_active),
    )
}

fn in_force(range: &Forbidden, time: u64) -> bool {
    let during = range.time();
    during.start <= time && time < during.end
}

/// For each listed time the bytes that are forbidden then; empty where nothing is forbidden at any
/// time. Forbidden ranges are few.
fn taken(problem: &Problem, times: &[u64]) -> Vec<Ranges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let at = |&time: &u64| {
        let ranges = problem.forbidden.iter();
        melted(ranges.filter(|range| in_force(range, time)))
    };
    times.iter().map(at).collect()
}

/// For each clique the bytes that are forbidden at some time of each of its buffers.
fn taken_of(problem: &Problem, cliques: &[Vec<u32>]) -> Vec<Ranges> {
    if problem.forbidden.is_empty() {
        return Vec::new();
    }
    let of = |clique: &Vec<u32>| {
        let for_all = |range: &&Forbidden| {
            let live = |&it: &u32| &problem.buffers[it as usize].live;
            let mut members = clique.iter().map(live);
            members.all(|live| meet(live, &[range.time()]))
        };
        melted(problem.forbidden.iter().filter(for_all))
    };
    cliques.iter().map(of).collect()
}

fn melted<'a>(ranges: impl Iterator<Item = &'a Forbidden>) -> Ranges {
    let mut ranges: Ranges = ranges.map(|range| (range.start, range.end)).collect();
    ranges.sort_unstable();
    let mut melted: Ranges = Vec::new();
    for (start, after) in ranges {
        match melted.last_mut() {
            Some((_, end)) if start <= *end => *end = after.max(*end),
            _ => melted.push((start, after)),
        }
    }
    melted
}
