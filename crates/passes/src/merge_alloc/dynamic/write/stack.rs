//! Offsets of buffers that lie one above the other.

use super::{Computer, MOST_BYTES};
use crate::merge_alloc::dynamic::{decide::Slot, layout::Stack};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{build::BuildError, ir::Val};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Number of sizes of [`MOST_BYTES`] that add up without overflow.
const MOST_OF_LARGEST: usize = 256;

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
        let most = match stack.groups.len() {
            0..=MOST_OF_LARGEST => MOST_BYTES,
            more => (MOST_BYTES * MOST_OF_LARGEST as i64) / more.next_power_of_two() as i64,
        };
        let mut sizes = Vec::with_capacity(stack.sizes.len());
        for term in &stack.sizes {
            sizes.push(self.size(std::slice::from_ref(term), most)?);
        }
        let mut is_below = vec![false; stack.groups.len()];
        for below in stack.groups.iter().flat_map(|group| &group.below) {
            is_below[*below] = true;
        }
        let is_alike = stack.is_alike();
        let mut rounded: FxHashMap<(usize, u64), Val<'c>> = FxHashMap::default();
        let mut starts: Vec<Val<'c>> = Vec::with_capacity(stack.groups.len());
        let mut ends: Vec<Option<End<'c>>> = Vec::with_capacity(stack.groups.len());
        let mut total = None;
        for (place, group) in stack.groups.iter().enumerate() {
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
        for (buffer, group) in slot.members.iter().zip(&stack.group_of) {
            offsets.insert(*buffer, starts[*group]);
        }
        Ok(total.unwrap_or(at))
    }

    fn larger(&self, known: Option<Val<'c>>, end: Val<'c>) -> Result<Val<'c>, BuildError> {
        known.map_or(Ok(end), |known| self.builder.maximum(known, end))
    }
}
