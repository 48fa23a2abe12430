//! What is pending of an operation on a slice, and what proves that it is done.

use super::program::{OpId, SliceId, ValueId, Values};

/// What proves that a start is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Any of these values; sorted.
    pub by: Values,
    /// It is in no group.
    pub loose: bool,
    /// Groups made since its own: so many at least.
    pub behind: u32,
}

impl Proof {
    /// Does this value prove it?
    pub fn is_by(&self, value: &ValueId) -> bool {
        self.by.binary_search(value).is_ok()
    }

    /// This value proves it, too.
    pub fn add(&mut self, value: ValueId) {
        if let Err(place) = self.by.binary_search(&value) {
            self.by.insert(place, value);
        }
    }

    /// What proves that both are done.
    pub fn both(&self, other: &Self) -> Self {
        let mut by = self.by.clone();
        by.retain(|value| other.is_by(value));
        Self {
            by,
            loose: self.loose | other.loose,
            behind: self.behind.min(other.behind),
        }
    }
}

/// What is pending of one operation on one slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// Of the start that was last.
    pub newest: Option<Proof>,
    /// Of all starts before, together.
    pub older: Option<Proof>,
    /// Its tag, by number, if it has one.
    pub tag: Option<u32>,
}

impl Starts {
    /// The proofs of all starts.
    pub fn proofs(&mut self) -> impl Iterator<Item = &mut Proof> {
        self.newest.iter_mut().chain(&mut self.older)
    }

    /// Is nothing pending any more?
    pub const fn is_over(&self) -> bool {
        self.newest.is_none() && self.older.is_none()
    }

    /// What is pending if either is.
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

/// What is pending: by operation and slice.
pub type Key = (OpId, SliceId);
