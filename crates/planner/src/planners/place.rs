//! Placement in a given order: each item goes into a gap between the conflicting items that are
//! already placed.

use super::conflicts::Conflicts;
use super::{Plan, align_up};
use crate::timeline::Timeline;

/// The choice among the free gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The lowest gap that holds the item.
    Lowest,
    /// The smallest gap that holds the item; of equals the lowest.
    Tightest,
}

/// The offset of an unplaced item.
const UNPLACED: u64 = u64::MAX;

/// Places all items in `order`, after those with a fixed offset.
pub fn place(timeline: &Timeline, conflicts: &Conflicts, order: &[u32], fit: Fit) -> Plan {
    let mut offsets: Vec<u64> = timeline
        .items
        .iter()
        .map(|item| item.fixed.unwrap_or(UNPLACED))
        .collect();
    let mut occupied = Vec::new();
    for &index in order {
        let item = &timeline.items[index as usize];
        if item.fixed.is_some() {
            continue;
        }
        occupied.clear();
        for &other in conflicts.of(index) {
            let offset = offsets[other as usize];
            if offset != UNPLACED {
                occupied.push((offset, offset + timeline.items[other as usize].size));
            }
        }
        occupied.sort_unstable();
        offsets[index as usize] = choose(&occupied, item.size, item.alignment, fit);
    }
    Plan::new(timeline, offsets, "order")
}

/// The offset for `size` bytes between the `occupied` intervals, which are sorted by start.
pub fn choose(occupied: &[(u64, u64)], size: u64, alignment: u64, fit: Fit) -> u64 {
    let mut top = 0;
    let mut tightest: Option<(u64, u64)> = None; // gap, offset
    for &(start, end) in occupied {
        let offset = align_up(top, alignment);
        if offset + size <= start {
            if fit == Fit::Lowest {
                return offset;
            }
            let gap = start - top;
            if tightest.is_none_or(|(least, _)| gap < least) {
                tightest = Some((gap, offset));
            }
        }
        top = top.max(end);
    }
    tightest.map_or_else(|| align_up(top, alignment), |(_, offset)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_takes_the_first_gap_and_tightest_the_smallest() {
        let occupied = [(0, 10), (40, 50), (60, 70)];
        assert_eq!(choose(&occupied, 8, 1, Fit::Lowest), 10);
        assert_eq!(choose(&occupied, 8, 1, Fit::Tightest), 50);
        assert_eq!(choose(&occupied, 31, 1, Fit::Tightest), 70);
    }

    #[test]
    fn a_gap_must_hold_the_item_at_an_aligned_offset() {
        assert_eq!(choose(&[(0, 10), (20, 30)], 8, 16, Fit::Lowest), 32);
        assert_eq!(choose(&[(0, 10), (24, 30)], 8, 16, Fit::Lowest), 16);
    }
}
