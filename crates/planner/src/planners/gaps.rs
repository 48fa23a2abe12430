//! The free gaps of an address space, by offset and by length.

use super::align_up;
use super::place::Fit;
use std::collections::{BTreeMap, BTreeSet};

/// The most gaps that are tested for alignment, before a gap that is certainly large enough is
/// taken.
const LOOKS: usize = 32;

/// Disjoint free gaps below a top. Everything above the top is free.
#[derive(Debug)]
pub struct Gaps {
    ends: BTreeMap<u64, u64>,
    by_length: BTreeSet<(u64, u64)>,
    /// For each bit, the offsets of the gaps whose length has its highest bit there.
    by_class: Vec<BTreeSet<u64>>,
    top: u64,
}

impl Default for Gaps {
    fn default() -> Self {
        let by_class = vec![BTreeSet::new(); u64::BITS as usize];
        Gaps {
            ends: BTreeMap::new(),
            by_length: BTreeSet::new(),
            by_class,
            top: 0,
        }
    }
}

impl Gaps {
    /// Takes `size` bytes, at least 1, and returns their offset. O(log n).
    ///
    /// [`Fit::Tightest`] takes the shortest gap and [`Fit::Lowest`] the lowest. Both test a bounded
    /// number of gaps that may be too short after alignment.
    pub fn take(&mut self, size: u64, alignment: u64, fit: Fit) -> u64 {
        let gap = match fit {
            Fit::Tightest => self.tightest(size, alignment),
            Fit::Lowest => self.lowest(size, alignment),
        };
        let offset = align_up(gap.unwrap_or(self.top), alignment);
        self.take_from(offset, size)
    }

    /// Takes the bytes from `start` to `end`, which must be at or above the top.
    pub fn take_at(&mut self, start: u64, end: u64) {
        self.insert(self.top, start);
        self.top = end;
    }

    /// The gap with the first free byte at or after `from` and before `to`; above the top is a gap
    /// that ends at `u64::MAX`.
    pub fn first_free(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        let gap = |(&start, &end): (&u64, &u64)| (start, end);
        let around = self.ends.range(..=from).next_back().map(gap);
        around
            .filter(|&(_, end)| end > from)
            .or_else(|| self.ends.range(from..to).next().map(gap))
            .or_else(|| (to > self.top).then_some((self.top, u64::MAX)))
    }

    /// Takes `size` bytes from `offset` on, all of them free, and returns `offset`. O(log n).
    pub fn take_from(&mut self, offset: u64, size: u64) -> u64 {
        if offset >= self.top {
            self.take_at(offset, offset + size);
        } else if let Some((&start, _)) = self.ends.range(..=offset).next_back() {
            let end = self.remove(start);
            self.insert(start, offset);
            self.insert(offset + size, end);
        }
        offset
    }

    /// Frees bytes that were taken, and merges the gap with its neighbours.
    pub fn free(&mut self, mut start: u64, mut end: u64) {
        if let Some((&below, &below_end)) = self.ends.range(..start).next_back()
            && below_end == start
        {
            self.remove(below);
            start = below;
        }
        if self.ends.contains_key(&end) {
            end = self.remove(end);
        }
        if end == self.top {
            self.top = start;
        } else {
            self.insert(start, end);
        }
    }

    fn tightest(&self, size: u64, alignment: u64) -> Option<u64> {
        let holds =
            |&&(length, start): &&(u64, u64)| align_up(start, alignment) - start + size <= length;
        let certain = (size + (alignment - 1), 0);
        let looked = self.by_length.range((size, 0)..).take(LOOKS).find(holds);
        looked
            .or_else(|| self.by_length.range(certain..).next())
            .map(|&(_, start)| start)
    }

    fn lowest(&self, size: u64, alignment: u64) -> Option<u64> {
        let holds = |start: u64| align_up(start, alignment) + size <= self.ends[&start];
        let (least, certain) = (class(size), class(size + (alignment - 1)) + 1);
        let uncertain = (least..certain).filter_map(|class| {
            self.by_class[class]
                .iter()
                .copied()
                .take(LOOKS)
                .find(|&start| holds(start))
        });
        let certain = self.by_class[certain.min(64)..]
            .iter()
            .filter_map(|class| class.first().copied());
        uncertain.chain(certain).min()
    }

    fn insert(&mut self, start: u64, end: u64) {
        if start < end {
            self.ends.insert(start, end);
            self.by_length.insert((end - start, start));
            self.by_class[class(end - start)].insert(start);
        }
    }

    fn remove(&mut self, start: u64) -> u64 {
        let end = self.ends.remove(&start).expect("a gap starts here");
        self.by_length.remove(&(end - start, start));
        self.by_class[class(end - start)].remove(&start);
        end
    }
}

/// The highest bit of a length other than 0.
fn class(length: u64) -> usize {
    length.ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_bytes_join_their_neighbours() {
        let mut gaps = Gaps::default();
        let offsets: Vec<u64> = (0..4).map(|_| gaps.take(10, 1, Fit::Lowest)).collect();
        assert_eq!(offsets, [0, 10, 20, 30]);
        gaps.free(0, 10);
        gaps.free(20, 30);
        gaps.free(10, 20);
        assert_eq!(gaps.take(30, 1, Fit::Tightest), 0);
    }

    #[test]
    fn freeing_the_top_lowers_it() {
        let mut gaps = Gaps::default();
        gaps.take(10, 1, Fit::Lowest);
        gaps.take(10, 1, Fit::Lowest);
        gaps.free(0, 10);
        gaps.free(10, 20);
        assert_eq!(gaps.take(50, 1, Fit::Lowest), 0);
    }

    #[test]
    fn lowest_and_tightest_differ() {
        let mut gaps = Gaps::default();
        for size in [40, 1, 20, 1] {
            gaps.take(size, 1, Fit::Lowest);
        }
        gaps.free(0, 40);
        gaps.free(41, 61);
        assert_eq!(gaps.take(18, 1, Fit::Tightest), 41);
        assert_eq!(gaps.take(18, 1, Fit::Lowest), 0);
    }

    #[test]
    fn alignment_can_rule_a_gap_out() {
        let mut gaps = Gaps::default();
        for size in [8, 12, 8] {
            gaps.take(size, 1, Fit::Lowest);
        }
        gaps.free(8, 20);
        assert_eq!(gaps.take(8, 16, Fit::Tightest), 32);
        assert_eq!(gaps.take(4, 16, Fit::Lowest), 16);
    }
}
