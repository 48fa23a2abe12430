//! The starts of an operation that are pending on a slice, and the proofs of their completion.

use super::program::{OpId, SliceId, ValueId, Values};

/// The proof that a start has completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The values of which any proves it, sorted.
    pub by: Values,
    /// Whether it is in no group yet.
    pub ungrouped: bool,
    /// The number of groups made since its own, at least.
    pub later_groups: u32,
}

impl Proof {
    /// Whether this value proves completion.
    pub fn is_by(&self, value: &ValueId) -> bool {
        self.by.binary_search(value).is_ok()
    }

    /// Adds a value that proves completion.
    pub fn add(&mut self, value: ValueId) {
        if let Err(place) = self.by.binary_search(&value) {
            self.by.insert(place, value);
        }
    }

    /// The proof that both starts have completed.
    pub fn both(&self, other: &Self) -> Self {
        let mut by = self.by.clone();
        by.retain(|value| other.is_by(value));
        Self {
            by,
            ungrouped: self.ungrouped | other.ungrouped,
            later_groups: self.later_groups.min(other.later_groups),
        }
    }
}

/// The pending starts of one operation on one slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingStarts {
    /// The proof for the latest start.
    pub newest: Option<Proof>,
    /// The proof for all earlier starts together.
    pub older: Option<Proof>,
    /// The index of its tag, if it has one.
    pub tag: Option<u32>,
}

impl PendingStarts {
    /// The proofs of all starts.
    pub fn proofs(&mut self) -> impl Iterator<Item = &mut Proof> {
        self.newest.iter_mut().chain(&mut self.older)
    }

    /// Whether nothing is pending any more.
    pub const fn is_over(&self) -> bool {
        self.newest.is_none() && self.older.is_none()
    }

    /// The starts that are pending on either path.
    pub fn join(&self, other: &Self) -> Self {
        let either = |one: &Option<Proof>, other: &Option<Proof>| match (one, other) {
            (Some(one), Some(other)) => Some(one.both(other)),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        Self {
            newest: either(&self.newest, &other.newest),
            older: either(&self.older, &other.older),
            tag: self.tag,
        }
    }
}

/// The key of a pending start.
pub type Key = (OpId, SliceId);
