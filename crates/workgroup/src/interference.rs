//! Which buffers must have different bytes.

use crate::{BufferId, Kernel};
use fixedbitset::FixedBitSet;
use memplan_flow::PrimaryMap;

/// A symmetric relation: buffers that must not share bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interference {
    rows: Vec<FixedBitSet>,
}

impl Interference {
    pub(crate) fn none(count: usize) -> Self {
        Self {
            rows: vec![FixedBitSet::with_capacity(count); count],
        }
    }

    /// Records that a buffer interferes with others. One direction suffices before [`Self::close`].
    pub(crate) fn add(&mut self, buffer: BufferId, others: &FixedBitSet) {
        self.rows[buffer.index()].union_with(others);
    }

    /// Makes the relation symmetric, and no buffer interfere with itself.
    pub(crate) fn close(&mut self) {
        for one in 0..self.rows.len() {
            self.rows[one].remove(one);
            let others: Vec<usize> = self.rows[one].ones().collect();
            for other in others {
                self.rows[other].insert(one);
            }
        }
    }

    pub(crate) fn row(&self, buffer: usize) -> &FixedBitSet {
        &self.rows[buffer]
    }

    /// Must two buffers have different bytes? Never true of a buffer and itself.
    pub fn interferes(&self, one: BufferId, other: BufferId) -> bool {
        self.rows[one.index()].contains(other.index())
    }

    /// All pairs that interfere, each once, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (BufferId, BufferId)> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(one, row)| {
            let others = row.ones().filter(move |other| one < *other);
            others.map(move |other| (BufferId::new(one), BufferId::new(other)))
        })
    }

    /// The first pair that interferes and shares bytes at these offsets. [`plan`](crate::plan()) checks its result with this.
    ///
    /// # Panics
    /// If a buffer has no offset.
    pub fn overlap(
        &self,
        kernel: &Kernel,
        offsets: &PrimaryMap<BufferId, u64>,
    ) -> Option<(BufferId, BufferId)> {
        let end = |buffer| offsets[buffer].saturating_add(kernel.buffers[buffer].size);
        self.pairs().find(|(one, other)| {
            let (one, other) = (*one, *other);
            offsets[one].max(offsets[other]) < end(one).min(end(other))
        })
    }
}
