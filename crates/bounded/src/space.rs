//! The contents of the stack at one point of a path: placed values and the holes between them.

use crate::tree::ValueId;
use std::collections::{BTreeMap, BTreeSet};

/// Values by offset, with the holes between them. Every change can be undone, the last one first.
#[derive(Clone, Debug, Default)]
pub struct Space {
    live: BTreeMap<u64, (u64, ValueId)>,
    /// Holes below the end of the highest value: size by first byte.
    holes: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
    top: u64,
    log: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    is_put: bool,
    offset: u64,
    size: u64,
    value: ValueId,
}

/// A value with its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedValue {
    /// The first byte.
    pub offset: u64,
    /// The size, in bytes.
    pub size: u64,
    /// The value itself.
    pub value: ValueId,
}

impl Space {
    /// One past the last byte of the highest value.
    pub const fn top(&self) -> u64 {
        self.top
    }

    /// The values, by ascending offset.
    pub fn placed(&self) -> impl Iterator<Item = PlacedValue> {
        let live = self.live.iter();
        live.map(|(&offset, &(size, value))| PlacedValue {
            offset,
            size,
            value,
        })
    }

    /// Places a value in free bytes. A value of size zero is not recorded.
    pub fn put(&mut self, value: ValueId, offset: u64, size: u64) {
        if size > 0 {
            self.occupy(value, offset, size);
            self.log.push(Entry {
                is_put: true,
                offset,
                size,
                value,
            });
        }
    }

    /// Removes the value at `offset`.
    pub fn take(&mut self, offset: u64, size: u64) {
        if size > 0 {
            let value = self.vacate(offset);
            self.log.push(Entry {
                is_put: false,
                offset,
                size,
                value,
            });
        }
    }

    /// The current position in the undo log, for [`undo`](Self::undo).
    pub const fn mark(&self) -> usize {
        self.log.len()
    }

    /// Undoes the changes since `mark`. Calls `back` for each value that is restored, with its offset.
    pub fn undo(&mut self, mark: usize, mut back: impl FnMut(ValueId, u64)) {
        while self.log.len() > mark {
            let Some(entry) = self.log.pop() else { break };
            if entry.is_put {
                self.vacate(entry.offset);
            } else {
                self.occupy(entry.value, entry.offset, entry.size);
                back(entry.value, entry.offset);
            }
        }
    }

    /// The lowest aligned offset with `size` free bytes, in a hole or above the top.
    ///
    /// Searches the holes from below. There are at most as many as values, and few in a bounded program.
    pub fn first_fit(&self, size: u64, alignment: u64) -> u64 {
        let top = self.top.next_multiple_of(alignment);
        let largest = self.by_size.last().map_or(0, |hole| hole.0);
        if largest < size {
            return top;
        }
        let holes = self.holes.iter().map(|(offset, hole)| (*offset, *hole));
        let mut fitting = holes.filter_map(|hole| fit(hole, size, alignment));
        fitting.next().unwrap_or(top)
    }

    /// The lowest aligned offset with `size` free bytes in the smallest hole that has one, or above the top.
    pub fn best_fit(&self, size: u64, alignment: u64) -> u64 {
        let holes = self.by_size.range((size, 0)..);
        let holes = holes.map(|(hole, offset)| (*offset, *hole));
        let mut fitting = holes.filter_map(|hole| fit(hole, size, alignment));
        fitting
            .next()
            .unwrap_or(self.top.next_multiple_of(alignment))
    }

    /// Whether the `size` bytes from `offset` on are free.
    pub fn is_free(&self, offset: u64, size: u64) -> bool {
        let end = offset.saturating_add(size);
        let below = self.live.range(..end).next_back();
        below.is_none_or(|(start, (size, _))| start + size <= offset)
    }

    fn add_hole(&mut self, offset: u64, size: u64) {
        if size > 0 {
            self.holes.insert(offset, size);
            self.by_size.insert((size, offset));
        }
    }

    fn remove_hole(&mut self, offset: u64) -> u64 {
        let size = self.holes.remove(&offset).unwrap_or(0);
        self.by_size.remove(&(size, offset));
        size
    }

    fn occupy(&mut self, value: ValueId, offset: u64, size: u64) {
        if offset >= self.top {
            self.add_hole(self.top, offset - self.top);
            self.top = offset + size;
        } else if let Some((&start, _)) = self.holes.range(..=offset).next_back() {
            let end = start + self.remove_hole(start);
            self.add_hole(start, offset - start);
            self.add_hole(offset + size, end.saturating_sub(offset + size));
        }
        self.live.insert(offset, (size, value));
    }

    fn vacate(&mut self, offset: u64) -> ValueId {
        let Some((size, value)) = self.live.remove(&offset) else {
            unreachable!("only what lies there is taken away");
        };
        let (mut start, mut end) = (offset, offset + size);
        if let Some((&below, &hole)) = self.holes.range(..offset).next_back()
            && below + hole == offset
        {
            self.remove_hole(below);
            start = below;
        }
        if self.holes.contains_key(&end) {
            let hole = self.remove_hole(end);
            end += hole;
        }
        if end == self.top {
            self.top = start;
        } else {
            self.add_hole(start, end - start);
        }
        value
    }
}

/// The lowest aligned offset with `size` free bytes in a hole, given by its first byte and its size.
fn fit((offset, hole): (u64, u64), size: u64, alignment: u64) -> Option<u64> {
    let at = offset.next_multiple_of(alignment);
    (at + size <= offset + hole).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_aligned_in_holes_and_above_the_top() {
        let mut space = Space::default();
        for (number, (offset, size)) in [(0, 8), (9, 15), (24, 1)].into_iter().enumerate() {
            space.put(ValueId::new(number), offset, size);
        }
        // Holes: one byte at 8; after the second value goes, 16 bytes at 8.
        assert_eq!((space.first_fit(1, 1), space.first_fit(1, 2)), (8, 8));
        assert_eq!((space.first_fit(1, 16), space.best_fit(8, 8)), (32, 32));
        space.take(9, 15);
        assert_eq!((space.first_fit(8, 16), space.best_fit(9, 16)), (16, 32));
    }

    #[test]
    fn adjacent_holes_merge() {
        let mut space = Space::default();
        for (number, offset) in [0, 8, 16, 24].into_iter().enumerate() {
            space.put(ValueId::new(number), offset, 8);
        }
        let mark = space.mark();
        space.take(8, 8);
        assert_eq!((space.first_fit(8, 1), space.first_fit(9, 1)), (8, 32));
        space.take(16, 8);
        assert_eq!((space.best_fit(9, 1), space.top()), (8, 32));
        space.take(24, 8);
        assert_eq!((space.first_fit(1, 1), space.top()), (8, 8));
        let mut back = Vec::new();
        space.undo(mark, |value, offset| back.push((value.0, offset)));
        assert_eq!(back, [(3, 24), (2, 16), (1, 8)]);
        assert_eq!((space.first_fit(1, 1), space.top()), (32, 32));
        assert_eq!(space.placed().count(), 4);
    }
}
