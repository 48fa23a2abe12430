//! An interval tree of the readable slices of an arena.

use super::program::{ArenaId, Program, SliceId};
use std::ops::Range;

/// The byte ranges of all slices of one arena, sorted by their start, and a segment tree with the largest end of
/// the marked ones. Empty ranges are left out.
pub struct IntervalTree {
    ranges: Vec<(Range<u64>, SliceId)>,
    /// `ends[size + i]` is the end of range `i` if marked, else 0; inner nodes hold maxima.
    ends: Vec<u64>,
    size: usize,
}

impl IntervalTree {
    /// The ranges of an arena's slices, none of them marked.
    pub fn new(program: &Program, arena: ArenaId) -> Self {
        let mut ranges: Vec<(Range<u64>, SliceId)> = program.arenas[arena.index()]
            .slices
            .iter()
            .flat_map(|&slice| {
                let slots = &program.slices[slice.index()].slots;
                slots.iter().map(move |slot| (slot.clone(), slice))
            })
            .filter(|(range, _)| !range.is_empty())
            .collect();
        ranges.sort_unstable_by_key(|(range, slice)| (range.start, range.end, *slice));
        let size = ranges.len().next_power_of_two();
        Self {
            ends: vec![0; 2 * size],
            ranges,
            size,
        }
    }

    /// Marks or unmarks all ranges of a slice.
    pub fn mark(&mut self, slice: SliceId, slots: &[Range<u64>], marked: bool) {
        for slot in slots {
            let key = (slot.start, slot.end, slice);
            let found = self
                .ranges
                .binary_search_by(|(range, slice)| (range.start, range.end, *slice).cmp(&key));
            let Ok(place) = found else { continue };
            let mut node = self.size + place;
            self.ends[node] = if marked { slot.end } else { 0 };
            while node > 1 {
                node /= 2;
                self.ends[node] = self.ends[2 * node].max(self.ends[2 * node + 1]);
            }
        }
    }

    /// Adds the marked slices that share a byte with `range` to `found`.
    pub fn overlapping(&self, range: &Range<u64>, found: &mut Vec<SliceId>) {
        if range.is_empty() {
            return;
        }
        let candidates = self
            .ranges
            .partition_point(|(other, _)| other.start < range.end);
        self.collect(1, 0..self.size, candidates, range.start, found);
    }

    fn collect(
        &self,
        node: usize,
        span: Range<usize>,
        candidates: usize,
        start: u64,
        found: &mut Vec<SliceId>,
    ) {
        if span.start >= candidates || self.ends[node] <= start {
            return;
        }
        if span.len() == 1 {
            found.push(self.ranges[span.start].1);
            return;
        }
        let middle = span.start + span.len() / 2;
        self.collect(2 * node, span.start..middle, candidates, start, found);
        self.collect(2 * node + 1, middle..span.end, candidates, start, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Arena, Slice, ValueId};
    use memplan_problems::random::Random;

    #[test]
    fn the_tree_finds_the_slices_that_a_scan_finds() {
        let mut random = Random(7);
        let mut next = |below: u64| random.below(below as usize) as u64;
        for count in [0usize, 1, 2, 5, 33] {
            let slices: Vec<Slice> = (0..count)
                .map(|index| {
                    let start = next(50);
                    Slice {
                        arena: ArenaId(0),
                        buffer: crate::program::BufferName::Number(index as i64),
                        slots: vec![start..start + next(20), start + 70..start + 70 + next(9)],
                        places: Default::default(),
                    }
                })
                .collect();
            let program = Program {
                arenas: vec![Arena {
                    value: ValueId(0),
                    slices: (0..count as u32).map(SliceId).collect(),
                }],
                slices,
                ..Program::default()
            };
            let mut bytes = IntervalTree::new(&program, ArenaId(0));
            let mut marked = vec![false; count];
            for _ in 0..200 {
                if count > 0 {
                    let slice = next(count as u64) as usize;
                    marked[slice] = !marked[slice];
                    let slots = &program.slices[slice].slots;
                    bytes.mark(SliceId(slice as u32), slots, marked[slice]);
                }
                let start = next(120);
                let range = start..start + next(30);
                let mut found = Vec::new();
                bytes.overlapping(&range, &mut found);
                found.sort_unstable();
                found.dedup();
                let expected: Vec<SliceId> = (0..count)
                    .filter(|&slice| {
                        marked[slice]
                            && program.slices[slice]
                                .slots
                                .iter()
                                .any(|slot| slot.start.max(range.start) < slot.end.min(range.end))
                    })
                    .map(|slice| SliceId(slice as u32))
                    .collect();
                assert_eq!(found, expected);
            }
        }
    }
}
