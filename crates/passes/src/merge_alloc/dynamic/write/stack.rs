//! Offsets of buffers that lie one above the other.

use super::{Computer, MOST_BYTES};
use crate::merge_alloc::dynamic::{
    decide::Slot,
    layout::{Order, Stack},
};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    build::{BuildError, Compare},
    ir::{Identity, Key, Val},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Number of sizes of [`MOST_BYTES`] that add up without overflow.
const MOST_OF_LARGEST: usize = 256;

/// Where the buffers of a slot start, and where the last one ends.
struct Placed<'c> {
    starts: Vec<Val<'c>>,
    total: Val<'c>,
}

/// The end of a group, and a power of two that it is a multiple of.
type End<'c> = (Val<'c>, u64);

impl<'c> Computer<'_, 'c> {
    /// The end of a slot that starts at `at`, which is aligned for all of its buffers. Sets their offsets.
    pub(super) fn stack(
        &mut self,
        at: Val<'c>,
        slot: &Slot,
        stack: &Stack,
        offsets: &mut FxHashMap<BufferId, Val<'c>>,
    ) -> Result<Val<'c>, BuildError> {
        let groups = stack.orders.iter().map(|order| order.groups.len());
        let most = match groups.max().unwrap_or(0) {
            0..=MOST_OF_LARGEST => MOST_BYTES,
            more => (MOST_BYTES * MOST_OF_LARGEST as i64) / more.next_power_of_two() as i64,
        };
        let mut sizes = Vec::with_capacity(stack.sizes.len());
        for term in &stack.sizes {
            sizes.push(self.size(std::slice::from_ref(term), most)?);
        }
        let mut rounded = FxHashMap::default();
        let mut least = None;
        for order in &stack.orders {
            let mut placed = self.place(at, stack, order, &sizes, &mut rounded)?;
            if let Some(known) = least.take() {
                placed = self.smaller(&known, &placed)?;
            }
            least = Some(placed);
        }
        let least = least.unwrap_or_else(|| Placed {
            starts: Vec::new(),
            total: at,
        });
        offsets.extend(slot.members.iter().copied().zip(least.starts));
        Ok(least.total)
    }

    /// Places the buffers in an order. The `rounded` sizes are known, by number and alignment.
    fn place(
        &mut self,
        at: Val<'c>,
        stack: &Stack,
        order: &Order,
        sizes: &[Val<'c>],
        rounded: &mut FxHashMap<(usize, u64), Val<'c>>,
    ) -> Result<Placed<'c>, BuildError> {
        let mut is_below = vec![false; order.groups.len()];
        for below in order.groups.iter().flat_map(|group| &group.below) {
            is_below[*below] = true;
        }
        let is_alike = order.is_alike();
        let mut starts: Vec<Val<'c>> = Vec::with_capacity(order.groups.len());
        let mut ends: Vec<Option<End<'c>>> = Vec::with_capacity(order.groups.len());
        let mut total = None;
        for (place, group) in order.groups.iter().enumerate() {
            let below = group.below.iter().filter_map(|below| ends[*below]);
            let below: SmallVec<[End<'c>; 8]> = below.collect();
            let mut start = None;
            for (end, _) in &below {
                start = Some(self.larger(start, *end)?);
            }
            let is_aligned = below.iter().all(|(_, to)| *to >= group.alignment);
            let start = match start {
                None => at,
                Some(start) if is_aligned => start,
                Some(start) => self.round_up(start, group.alignment as i64)?,
            };
            starts.push(start);
            let size = sizes[group.size];
            if !is_below[place] {
                let end = self.sum(start, size)?;
                total = Some(self.larger(total, end)?);
                ends.push(None);
                continue;
            }
            let bytes = stack.sizes[group.size].size.bytes;
            let to = group.alignment;
            let (taken, to) = match rounded.get(&(group.size, to)) {
                _ if !is_alike => (size, to.min(bytes & bytes.wrapping_neg())),
                Some(taken) => (*taken, to),
                None if bytes.is_multiple_of(to) => (size, to),
                None => (self.round_up(size, to as i64)?, to),
            };
            rounded.insert((group.size, to), taken);
            ends.push(Some((self.sum(start, taken)?, to)));
        }
        Ok(Placed {
            starts: order.group_of.iter().map(|group| starts[*group]).collect(),
            total: total.unwrap_or(at),
        })
    }

    /// The places that take less in the run; the first ones if both take the same.
    fn smaller(&self, one: &Placed<'c>, other: &Placed<'c>) -> Result<Placed<'c>, BuildError> {
        let is_less = self
            .builder
            .compare(Compare::Less, other.total, one.total)?;
        let mut selected: FxHashMap<(Key, Key), Val<'c>> = FxHashMap::default();
        let mut select = |one: Val<'c>, other: Val<'c>| {
            if one == other {
                return Ok(one);
            }
            let key = (one.key(), other.key());
            if let Some(known) = selected.get(&key) {
                return Ok(*known);
            }
            let value = self.builder.select(is_less, other, one)?;
            selected.insert(key, value);
            Ok(value)
        };
        let starts = one.starts.iter().zip(&other.starts);
        let starts = starts.map(|(one, other)| select(*one, *other));
        Ok(Placed {
            starts: starts.collect::<Result<_, _>>()?,
            total: select(one.total, other.total)?,
        })
    }

    fn larger(&self, known: Option<Val<'c>>, end: Val<'c>) -> Result<Val<'c>, BuildError> {
        known.map_or(Ok(end), |known| self.builder.maximum(known, end))
    }
}
