//! `locality`: in program order, each buffer over the bytes that were freed most recently, so that
//! they are still in a cache when they are written again.
//!
//! A sweep over time maintains the free gaps, the last use of each byte, and a stack of freed
//! blocks. The blocks on top of the stack select the gaps; both ends of each gap are candidates.
//! The candidate with the least reuse distance is taken, as [`Reuse`](crate::Reuse) computes it,
//! but in sections. A byte that was never used counts as the oldest. If no candidate holds the
//! buffer, it goes to the lowest gap that does, as in `first-fit`. The number of candidates is
//! bounded, so the sweep is O(n log n) for any overlaps. Items with holes and fixed items are
//! treated as in `sweep`.
//!
//! Source: a free list in last-in-first-out order (Wilson, Johnstone, Neely and Boles, "Dynamic
//! Storage Allocation: A Survey and Critical Review", 1995), which an allocator that knows sizes in
//! advance can search for the best place.

use super::gaps::Gaps;
use super::place::Fit;
use super::{Plan, align_down, align_up, sweep};
use crate::Planner;
use crate::reuse::LastUses;
use crate::timeline::{Item, Timeline};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most freed blocks that are considered for one buffer.
const LOOKS: usize = 16;

/// The most uses that are considered for one candidate; bytes beyond count as never used.
const USES: usize = 32;

/// Places items in program order over the most recently freed bytes.
pub fn plan(timeline: &Timeline) -> Plan {
    let mut memory = MemoryState {
        gaps: sweep::gaps_around_fixed(timeline),
        used: LastUses::default(),
        freed: Vec::new(),
        peak: 0,
        never: u128::from(timeline.sections) + 1,
    };
    let mut live = BinaryHeap::new(); // end section, start and end of its bytes
    let mut offsets = Vec::with_capacity(timeline.items.len());
    for item in &timeline.items {
        if let Some(offset) = item.fixed {
            offsets.push(offset);
            continue;
        }
        while let Some(&Reverse((end, from, to))) = live.peek()
            && end <= item.hull.start
        {
            live.pop();
            memory.gaps.free(from, to);
            memory.freed.push((from, to));
        }
        let offset = memory.take(item);
        live.push(Reverse((item.hull.end, offset, offset + item.size)));
        offsets.push(offset);
    }
    Plan::new(timeline, offsets, Planner::Locality.name())
}

struct MemoryState {
    gaps: Gaps,
    /// The last use of each byte, in sections.
    used: LastUses,
    /// The freed blocks, the latest last; they may have been partly taken again.
    freed: Vec<(u64, u64)>,
    /// The highest end of an item so far.
    peak: u64,
    /// The distance of a byte that was never used.
    never: u128,
}

impl MemoryState {
    fn take(&mut self, item: &Item) -> u64 {
        let offset = match self.nearest(item) {
            Some(offset) => self.gaps.take_from(offset, item.size),
            None => self.gaps.take(item.size, item.alignment, Fit::Lowest),
        };
        let end = offset + item.size;
        self.used
            .replace(offset, end, item.hull.end.into(), |_, _| {});
        self.peak = self.peak.max(end);
        offset
    }

    /// The candidate with the least distance in the gaps of the most recently freed blocks; of
    /// equals the lowest. Removes blocks without a free byte.
    fn nearest(&mut self, item: &Item) -> Option<u64> {
        let mut best: Option<(u128, u64)> = None;
        let mut index = self.freed.len();
        for _ in 0..LOOKS {
            let Some(next) = index.checked_sub(1) else {
                break;
            };
            index = next;
            let (from, to) = self.freed[index];
            let Some((start, end)) = self.gaps.first_free(from, to) else {
                self.freed.remove(index);
                continue;
            };
            // The gap above the top has no end, but locality must not raise the peak.
            let end = end.min(self.peak.max(start));
            for offset in ends(start, end, item).into_iter().flatten() {
                let place = (self.distance(offset, item), offset);
                best = Some(best.map_or(place, |best| best.min(place)));
            }
        }
        best.map(|(_, offset)| offset)
    }

    /// The sum of the distances of the bytes that `item` would use at `offset`.
    fn distance(&self, offset: u64, item: &Item) -> u128 {
        let mut unused = item.size;
        let mut distance = 0;
        let uses = self.used.within(offset, offset + item.size);
        for (bytes, ended) in uses.take(USES) {
            unused -= bytes;
            let since = u64::from(item.hull.start).saturating_sub(ended);
            distance += u128::from(bytes) * u128::from(since);
        }
        distance + u128::from(unused) * self.never
    }
}

/// The lowest and the highest offset at which the item fits into the gap; `None` if it does not
/// fit.
fn ends(start: u64, end: u64, item: &Item) -> Option<[u64; 2]> {
    let lowest = align_up(start, item.alignment);
    let highest = align_down(end.checked_sub(item.size)?, item.alignment);
    (lowest <= highest).then_some([lowest, highest])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    fn offsets(buffers: Vec<Buffer>) -> Vec<u64> {
        plan(&Timeline::new(&Problem::new(buffers).expect("valid"))).offsets
    }

    #[test]
    fn the_bytes_freed_last_are_taken_though_others_are_lower() {
        let offsets = offsets(vec![
            Buffer::new(0, 8, [(0, 2)]),
            Buffer::new(1, 4, [(0, 9)]),
            Buffer::new(2, 8, [(0, 4)]),
            Buffer::new(3, 4, [(0, 9)]),
            Buffer::new(4, 2, [(3, 9)]),
            Buffer::new(5, 8, [(5, 9)]),
        ]);
        assert_eq!(offsets, [0, 8, 12, 20, 0, 12]);
    }

    #[test]
    fn both_ends_of_a_gap_are_tried() {
        let offsets = offsets(vec![
            Buffer::new(0, 8, [(0, 2)]),
            Buffer::new(1, 8, [(0, 4)]),
            Buffer::new(2, 8, [(0, 9)]),
            Buffer::new(3, 1, [(3, 4)]),
            Buffer::new(4, 6, [(5, 9)]),
        ]);
        assert_eq!(offsets, [0, 8, 16, 0, 10]);
    }

    #[test]
    fn the_peak_does_not_rise_for_locality() {
        let offsets = offsets(vec![
            Buffer::new(0, 8, [(0, 1)]),
            Buffer::new(1, 4, [(0, 9)]),
            Buffer::new(2, 2, [(2, 3)]),
            Buffer::new(3, 8, [(0, 3)]),
            Buffer::new(4, 8, [(4, 9)]),
        ]);
        assert_eq!(offsets, [0, 8, 12, 0, 12]);
    }
}
