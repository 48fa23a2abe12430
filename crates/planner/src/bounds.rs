//! Bounds on the peak that hold for every plan.

use crate::alignment::common;
use crate::timeline::{Span, Timeline};
use crate::{Buffer, Certificate, Problem, bank_bounds, certificate, cliques};
use std::collections::BTreeMap;

/// The numbers that a plan is compared with, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The sum of the sizes, each rounded up to its alignment: what separate allocations would take.
    pub naive: u64,
    /// The largest sum of sizes, not rounded, of buffers live at one point.
    pub load: u64,
    /// The best lower bound on the peak; at least the load.
    ///
    /// The bound accounts for alignment, fixed offsets, forbidden ranges, holes in live ranges, and
    /// buffers that are never live, and for banks as far as no search is needed. It is `u64::MAX` if there is no plan.
    pub lower_bound: u64,
}

impl Problem {
    /// Computes the bounds of this problem. O(n log n) for each distinct alignment.
    ///
    /// The numbers mean nothing in a problem that [`check`](Problem::check) rejects; their sums
    /// saturate.
    pub fn bounds(&self) -> Bounds {
        self.certified_bounds().0
    }

    /// Computes the bounds like [`bounds`](Self::bounds), with a proof that no plan has a lower
    /// peak than the lower bound.
    pub fn certified_bounds(&self) -> (Bounds, Certificate) {
        let timeline = Timeline::new(&self.without_windowed_times());
        let (bounds, lower) = Bounds::certified(self, &timeline);
        (bounds, lower.certificate)
    }
}

impl Bounds {
    /// Computes the bounds, with a proof that no plan has a lower peak than `lower_bound`. `timeline` is that of
    /// [`Problem::without_windowed_times`].
    pub(crate) fn certified(problem: &Problem, timeline: &Timeline) -> (Self, LowerBound) {
        let naive = problem
            .buffers
            .iter()
            .map(|buffer| {
                buffer
                    .size
                    .checked_next_multiple_of(buffer.alignment.max(1))
                    .unwrap_or(u64::MAX)
            })
            .fold(0, u64::saturating_add);
        let mut lower = LowerBound::default();
        let sums = timeline.sums(|_, item| item.size);
        let mut load = 0;
        for (section, &sum) in (0usize..).zip(&sums) {
            if sum > load {
                load = sum;
                lower.raise(sum, || Certificate::Load {
                    time: timeline.times[section],
                });
            }
        }
        if let Some((sum, time)) = windowed_load(problem) {
            load = load.max(sum);
            lower.raise(sum, || Certificate::Load { time });
        }
        for buffer in &problem.buffers {
            lower.raise(least_end(buffer), || Certificate::End { buffer: buffer.id });
        }
        raise_by_alignment(timeline, &mut lower);
        raise_by_holes(problem, timeline, &mut lower);
        raise_by_forbidden_ranges(problem, timeline, &sums, &mut lower);
        if let Some((bound, proof)) = bank_bounds::above(problem, lower.bound) {
            lower.raise(bound, || proof);
        }
        let bounds = Bounds {
            naive,
            load,
            lower_bound: lower.bound,
        };
        (bounds, lower)
    }
}

/// The best lower bound so far, with its proof.
#[derive(Clone, Default)]
pub(crate) struct LowerBound {
    /// In bytes.
    pub bound: u64,
    /// The proof of the bound.
    pub certificate: Certificate,
}

impl LowerBound {
    /// Replaces the bound if `bound` is higher.
    pub fn raise(&mut self, bound: u64, certificate: impl FnOnce() -> Certificate) {
        if bound > self.bound {
            self.bound = bound;
            self.certificate = certificate();
        }
    }
}

/// The most bytes that are in use at a time, and that time; `None` if no buffer has windows.
fn windowed_load(problem: &Problem) -> Option<(u64, u64)> {
    if !problem.has_windows() {
        return None;
    }
    let mut events = Vec::new();
    for (time, low, high) in problem.buffers.iter().flat_map(Buffer::uses) {
        events.push((time.start, true, high - low));
        events.push((time.end, false, high - low));
    }
    events.sort_unstable(); // ends before starts
    let (mut sum, mut most) = (0u64, None);
    for (time, starts, bytes) in events {
        match starts {
            true => sum = sum.saturating_add(bytes),
            false => sum = sum.saturating_sub(bytes),
        }
        if most.is_none_or(|(most, _)| sum > most) {
            most = Some((sum, time));
        }
    }
    most
}

/// The lowest end of a buffer in any plan, from this buffer alone.
fn least_end(buffer: &Buffer) -> u64 {
    buffer.fixed_offset.unwrap_or(0).saturating_add(buffer.size)
}

/// For each section the disjoint byte ranges that are forbidden in it, sorted by start.
///
/// The list is empty if nothing is forbidden at any time. Forbidden ranges come from the machine
/// and are few, so this needs no sweep.
fn forbidden(timeline: &Timeline) -> Vec<Vec<(u64, u64)>> {
    let reserved = || timeline.items.iter().filter(|item| item.reserved);
    if reserved().next().is_none() {
        return Vec::new();
    }
    let mut taken = vec![Vec::new(); timeline.sections as usize];
    for item in reserved() {
        let start = item.fixed.unwrap_or(0);
        for span in timeline.spans(item) {
            for taken in &mut taken[span.start as usize..span.end as usize] {
                taken.push((start, start.saturating_add(item.size)));
            }
        }
    }
    for taken in &mut taken {
        taken.sort_unstable();
    }
    taken
}

/// Raises the bound to the space that the buffers of one section need around forbidden bytes.
/// `sums` holds the total size of the buffers of each section.
fn raise_by_forbidden_ranges(
    problem: &Problem,
    timeline: &Timeline,
    sums: &[u64],
    lower: &mut LowerBound,
) {
    let ends = sums.iter().zip(forbidden(timeline));
    let ends = ends.map(|(&sum, taken)| end_around(sum, &taken));
    let highest = (0u32..).zip(ends).max_by_key(|&(_, end)| end);
    let Some((section, end)) = highest.filter(|&(_, end)| end > lower.bound) else {
        return;
    };
    let is_live = |span: &Span| span.start <= section && section < span.end;
    let items = timeline.items.iter().filter(|item| !item.reserved);
    let live = items.filter(|item| timeline.spans(item).iter().any(is_live));
    let proof = Certificate::Clique {
        buffers: live
            .map(|item| problem.buffers[item.buffer as usize].id)
            .collect(),
    };
    let bound = certificate::check(problem, &proof).unwrap_or(0);
    debug_assert!(bound >= end || problem.check().is_err());
    lower.raise(bound, || proof);
}

/// The end of `bytes` bytes placed from 0 around the `taken` ranges.
fn end_around(bytes: u64, taken: &[(u64, u64)]) -> u64 {
    if bytes == 0 {
        return 0;
    }
    let below = |end: u64, &(start, after): &(u64, u64)| match start < end {
        true => end.saturating_add(after - start),
        false => end,
    };
    taken.iter().fold(bytes, below)
}

/// Raises the bound by buffers with holes that conflict pairwise but are never all live at once.
///
/// The certificate checker computes the bound.
fn raise_by_holes(problem: &Problem, timeline: &Timeline, lower: &mut LowerBound) {
    let items = || timeline.items.iter().filter(|item| !item.reserved);
    let grain = common(items().map(|item| item.alignment));
    let weights = timeline.items.iter().map(|item| match item.reserved {
        true => 0,
        false => item
            .size
            .checked_next_multiple_of(grain)
            .unwrap_or(item.size),
    });
    let weights: Vec<u64> = weights.collect();
    let Some(clique) = cliques::heaviest(timeline, &weights) else {
        return;
    };
    let position = |index: u32| timeline.items[index as usize].buffer as usize;
    let buffers = clique
        .iter()
        .map(|&index| problem.buffers[position(index)].id);
    let proof = Certificate::Clique {
        buffers: buffers.collect(),
    };
    let bound = certificate::check(problem, &proof).unwrap_or(0);
    lower.raise(bound, || proof);
}

/// Raises the bound to the largest one that alignment forces.
///
/// Take the buffers that are live in one section and have an alignment that A divides. Their offsets
/// are multiples of A, so each buffer except the topmost takes its size rounded up to A. The sum of
/// the rounded sizes, less the largest rounding of any of them, is therefore a lower bound.
fn raise_by_alignment(timeline: &Timeline, lower: &mut LowerBound) {
    let mut alignments: Vec<u64> = timeline.items.iter().map(|item| item.alignment).collect();
    alignments.sort_unstable();
    alignments.dedup();
    for alignment in alignments.into_iter().filter(|&alignment| alignment > 1) {
        let (bound, section) = alignment_bound(timeline, alignment);
        lower.raise(bound, || Certificate::Alignment {
            time: timeline.times[section as usize],
            alignment,
        });
    }
}

/// The bound that this alignment forces, and the section that forces it.
fn alignment_bound(timeline: &Timeline, alignment: u64) -> (u64, u32) {
    let rounded = |size: u64| size.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
    let mut events = Vec::new();
    for item in timeline
        .items
        .iter()
        .filter(|item| item.alignment.is_multiple_of(alignment))
    {
        for span in timeline.spans(item) {
            events.push((span.start, true, item.size));
            events.push((span.end, false, item.size));
        }
    }
    events.sort_unstable();
    let mut sum = 0u64;
    let mut added: BTreeMap<u64, u32> = BTreeMap::new(); // rounding -> live buffers
    let mut best = (0, 0);
    for (section, starts, size) in events {
        let round = rounded(size);
        if starts {
            sum = sum.saturating_add(round);
            *added.entry(round - size).or_default() += 1;
            let most = added.last_key_value().map_or(0, |(&most, _)| most);
            let bound = sum.saturating_sub(most);
            if bound > best.0 {
                best = (bound, section);
            }
        } else {
            sum = sum.saturating_sub(round);
            let count = added.entry(round - size).or_default();
            *count = count.saturating_sub(1);
            if *count == 0 {
                added.remove(&(round - size));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Forbidden;

    fn bounds(buffers: Vec<Buffer>) -> Bounds {
        Problem::new(buffers).expect("a valid problem").bounds()
    }

    #[test]
    fn load_counts_buffers_live_at_one_point() {
        let bounds = bounds(vec![
            Buffer::new(0, 10, [(0, 2)]),
            Buffer::new(1, 20, [(1, 3)]),
            Buffer::new(2, 25, [(2, 4)]),
        ]);
        assert_eq!(
            bounds,
            Bounds {
                naive: 55,
                load: 45,
                lower_bound: 45
            }
        );
    }

    #[test]
    fn holes_do_not_count_to_the_load() {
        let bounds = bounds(vec![
            Buffer::new(0, 10, [(0, 2), (4, 6)]),
            Buffer::new(1, 20, [(2, 4)]),
        ]);
        assert_eq!(bounds.load, 20);
    }

    #[test]
    fn all_but_one_of_the_aligned_buffers_are_rounded_up() {
        let aligned = |id, size| Buffer::new(id, size, [(0, 1)]).aligned(64);
        let bounds = bounds(vec![
            aligned(0, 1),
            aligned(1, 10),
            aligned(2, 60),
            Buffer::new(3, 5, [(0, 1)]),
        ]);
        assert_eq!(bounds.load, 76);
        assert_eq!(bounds.naive, 64 * 3 + 5);
        assert_eq!(bounds.lower_bound, 64 * 2 + 1);
    }

    #[test]
    fn forbidden_ranges_are_left_out() {
        let problem = Problem::new(vec![
            Buffer::new(0, 10, [(0, 2)]),
            Buffer::new(1, 20, [(2, 4)]),
        ]);
        let problem = problem.expect("valid");
        let with = |range| problem.clone().with_forbidden(range);
        let bounds = with(Forbidden::new(5, 8)).bounds();
        assert_eq!((bounds.load, bounds.lower_bound), (20, 23));
        let during = |start, end| with(Forbidden::new(5, 90).during(start, end)).bounds();
        assert_eq!(during(0, 1).lower_bound, 95);
        assert_eq!(during(7, 9).lower_bound, 20);
        assert_eq!(with(Forbidden::new(20, 30)).bounds().lower_bound, 20);
    }

    #[test]
    fn pairwise_conflicting_buffers_with_holes_need_the_sum() {
        let bounds = bounds(vec![
            Buffer::new(0, 10, [(0, 1), (2, 3)]).aligned(4),
            Buffer::new(1, 20, [(0, 1), (4, 5)]).aligned(4),
            Buffer::new(2, 30, [(2, 3), (4, 5)]).aligned(8),
        ]);
        assert_eq!((bounds.load, bounds.lower_bound), (50, 62));
    }

    #[test]
    fn fixed_and_idle_buffers_raise_the_lower_bound_alone() {
        let bounds = bounds(vec![
            Buffer::new(0, 10, [(0, 1)]).fixed_at(90),
            Buffer::new(1, 120, []),
        ]);
        assert_eq!(
            bounds,
            Bounds {
                naive: 130,
                load: 10,
                lower_bound: 120
            }
        );
    }
}
