//! The parents of one region, as plain data.

use std::collections::BTreeSet;

/// A parent of a region.
struct Parent {
    handle: i64,
    /// Position of the region when the parent was added.
    position: u64,
    /// Shift of the region with the parent.
    shift: u64,
}

/// The parents of a region, without duplicates.
#[derive(Default)]
pub(crate) struct ParentList {
    /// Parents in the order in which they were added.
    order: Vec<Parent>,
    known: BTreeSet<i64>,
}

impl ParentList {
    pub fn contains(&self, handle: i64) -> bool {
        self.known.contains(&handle)
    }

    pub fn handles(&self) -> impl Iterator<Item = i64> {
        self.known.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Adds a parent at the region's position, which is not before that of the last parent. `shift` is the region's
    /// shift with the new parent.
    pub fn push(&mut self, handle: i64, position: u64, shift: u64) {
        self.known.insert(handle);
        self.order.push(Parent {
            handle,
            position,
            shift,
        });
    }

    /// Removes the parents that were added at `position` or after it, and returns their handles.
    pub fn truncate(&mut self, position: u64) -> Vec<i64> {
        let kept = self.count_before(position);
        let removed: Vec<i64> = self
            .order
            .drain(kept..)
            .map(|parent| parent.handle)
            .collect();
        for handle in &removed {
            self.known.remove(handle);
        }
        removed
    }

    /// Position and shift of the last parent before `position`.
    pub fn last_before(&self, position: u64) -> Option<(u64, u64)> {
        let last = &self.order[self.count_before(position).checked_sub(1)?];
        Some((last.position, last.shift))
    }

    fn count_before(&self, position: u64) -> usize {
        self.order
            .partition_point(|parent| parent.position < position)
    }
}
