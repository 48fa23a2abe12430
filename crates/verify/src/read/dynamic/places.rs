//! Where slices start, and how many bytes they need there.

use super::{
    DynamicSlice, ProgramReader,
    sizes::Product,
    sums::{Sum, Whole},
};
use memplan_mlir::ir::{Identity, Key, Op, Val, parent_block};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A place where slices start.
pub(super) struct Start<'c> {
    pub value: Val<'c>,
    /// What slices with this start need.
    pub needs: Vec<usize>,
}

/// The bytes that some slices with one start need, in one block.
pub(super) struct Need<'c> {
    /// One of their views.
    pub op: Op<'c>,
    pub bytes: Product<'c>,
    /// The most that this is, if that is known.
    pub most: Option<u64>,
}

/// Sums, each with its number: a constant, and the numbers of values with how many times they are in it.
type KnownSums = FxHashMap<(i64, Vec<(usize, u64)>), usize>;

/// What makes a need: its start, the block, its size, and the largest value of that.
type KnownNeed = (usize, Key, (u128, Vec<usize>), Option<u64>);

/// A size, a need, how many times the size counts, and how many times the arena has it.
type SizeAndNeed = (Key, usize, [u64; 2]);

/// Starts and needs of the slices of an arena.
#[derive(Default)]
pub(super) struct Places<'c> {
    pub starts: Vec<Start<'c>>,
    pub needs: Vec<Need<'c>>,
    /// For each slice, its start and its need.
    pub of_slices: Vec<(usize, usize)>,
    /// For each start, the value that stands for all that are the same sum.
    pub whole: Whole<'c>,
    /// Whether so many of a size, which the arena has a number of times, are large enough for a need, where that was asked.
    pub large_enough: RefCell<FxHashMap<SizeAndNeed, bool>>,
    /// Numbers of values, to compare sums and products in any order.
    numbers: FxHashMap<Key, usize>,
}

impl<'c> Places<'c> {
    /// The places of slices. Starts that are the same sum are one.
    pub fn new(reader: &mut ProgramReader<'c, '_>, slices: &[DynamicSlice<'c>]) -> Self {
        let mut places = Self::default();
        for slice in slices {
            if reader.constant(slice.start).is_none() {
                places.whole.values.insert(slice.start.key(), slice.start);
            }
        }
        let mut known = KnownSums::default();
        let mut start_of: FxHashMap<Key, usize> = FxHashMap::default();
        let mut needs: FxHashMap<KnownNeed, usize> = FxHashMap::default();
        for slice in slices {
            let start = match start_of.get(&slice.start.key()) {
                Some(start) => *start,
                None => {
                    let start = places.start(reader, slice.start, &mut known);
                    start_of.insert(slice.start.key(), start);
                    start
                }
            };
            let factors = slice.need.factors.iter();
            let mut factors: Vec<usize> = factors.map(|one| places.number(one.key())).collect();
            factors.sort_unstable();
            let block = parent_block(slice.op).map_or_else(|| slice.op.key(), |block| block.key());
            let next = places.needs.len();
            let need = *needs
                .entry((start, block, (slice.need.constant, factors), slice.most))
                .or_insert(next);
            if need == next {
                places.needs.push(Need {
                    op: slice.op,
                    bytes: slice.need.clone(),
                    most: slice.most,
                });
                places.starts[start].needs.push(need);
            }
            places.of_slices.push((start, need));
        }
        places
    }

    fn number(&mut self, value: Key) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(value).or_insert(next)
    }

    /// The number of a start.
    fn start(
        &mut self,
        reader: &mut ProgramReader<'c, '_>,
        value: Val<'c>,
        known: &mut KnownSums,
    ) -> usize {
        let sum = reader
            .sum(value, &self.whole)
            .unwrap_or_else(|_| Sum::of(value));
        let summands = sum.summands.iter();
        let summands = summands.map(|(part, times)| (self.number(part.key()), *times));
        let mut summands: Vec<(usize, u64)> = summands.collect();
        summands.sort_unstable();
        let next = self.starts.len();
        let place = *known.entry((sum.constant, summands)).or_insert(next);
        if place == next {
            self.starts.push(Start {
                value,
                needs: Vec::new(),
            });
        } else {
            let same = self.starts[place].value;
            self.whole.values.insert(value.key(), same);
        }
        place
    }
}
