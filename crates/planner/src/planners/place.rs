//! Placement in a given order: each item goes where its conflicting, already placed items leave room.

use super::conflicts::Conflicts;
use super::{Plan, align_up};
use crate::timeline::Timeline;

/// Which of the free gaps to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The lowest that holds the item.
    Lowest,
    /// The smallest that holds the item; the lowest of these.
    Tightest,
}

/// An item without an offset.
const UNPLACED: u64 = u64::MAX;

/// Places items in any order; keeps its memory from one order to the next.
pub struct Placer<'a> {
    timeline: &'a Timeline,
    conflicts: &'a Conflicts,
    offsets: Vec<u64>,
    occupied: Vec<(u64, u64)>,
}

impl<'a> Placer<'a> {
    /// A placer for the items of `timeline`, whose conflicts these are.
    pub fn new(timeline: &'a Timeline, conflicts: &'a Conflicts) -> Self {
        Placer {
            timeline,
            conflicts,
            offsets: Vec::new(),
            occupied: Vec::new(),
        }
    }

    /// Places all items in `order`, after those with a fixed offset.
    pub fn place(&mut self, order: &[u32], fit: Fit) -> Plan {
        self.clear();
        for &item in order {
            self.put(item, fit);
        }
        Plan::new(self.timeline, self.offsets.clone(), "order")
    }

    /// Takes back all placements but the fixed ones.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.extend(
            self.timeline
                .items
                .iter()
                .map(|item| item.fixed.unwrap_or(UNPLACED)),
        );
    }

    /// Takes back the placement of one item, if it is not fixed.
    pub fn take_back(&mut self, item: u32) {
        self.offsets[item as usize] = self.timeline.items[item as usize].fixed.unwrap_or(UNPLACED);
    }

    /// The offsets so far.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// Places one item, if it is not fixed, and returns where it ends.
    pub fn put(&mut self, item: u32, fit: Fit) -> u64 {
        let subject = &self.timeline.items[item as usize];
        if let Some(offset) = subject.fixed {
            return offset + subject.size;
        }
        self.occupied.clear();
        for &other in self.conflicts.of(item) {
            let offset = self.offsets[other as usize];
            if offset != UNPLACED {
                self.occupied
                    .push((offset, offset + self.timeline.items[other as usize].size));
            }
        }
        self.occupied.sort_unstable();
        let offset = choose(&self.occupied, subject.size, subject.alignment, fit);
        self.offsets[item as usize] = offset;
        offset + subject.size
    }
}

/// The offset for `size` bytes between the `occupied` intervals, which are sorted and may overlap.
fn choose(occupied: &[(u64, u64)], size: u64, alignment: u64, fit: Fit) -> u64 {
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
