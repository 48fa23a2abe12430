//! Memref values of the program, and which of them may be the same memory.

use std::collections::BTreeSet;

use super::types::Type;

/// The memory that a value may refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots {
    /// Allocations, by number; numbers grow in the order of allocation.
    pub known: BTreeSet<u32>,
    /// In addition, any allocation with a smaller number than this. A merge refers to memory allocated before it, so
    /// memory allocated later is different.
    pub before: u32,
}

impl Roots {
    /// One allocation.
    pub fn one(number: u32) -> Self {
        Self {
            known: BTreeSet::from([number]),
            before: 0,
        }
    }

    /// Any memory allocated so far.
    pub fn any_before(number: u32) -> Self {
        Self {
            known: BTreeSet::new(),
            before: number,
        }
    }

    /// Whether both may be the same memory.
    pub fn overlap(&self, other: &Self) -> bool {
        let reaches = |one: &Self, two: &Self| {
            one.before > 0 && two.known.iter().any(|root| *root < one.before)
        };
        !self.known.is_disjoint(&other.known)
            || reaches(self, other)
            || reaches(other, self)
            || (self.before > 0 && other.before > 0)
    }

    /// The union with `other`.
    pub fn join(&mut self, other: &Self) {
        self.known.extend(&other.known);
        self.before = self.before.max(other.before);
    }
}

/// A memref value.
#[derive(Debug, Clone)]
pub struct Memref {
    /// Its name, `%v12`.
    pub name: String,
    /// Its type.
    pub r#type: Type,
    /// The memory that it may refer to.
    pub roots: Roots,
    /// Whether every element has been written: it may be read and passed on. Else it may only be overwritten
    /// completely.
    pub written: bool,
    /// Whether others may use it at the same time: it must not be written.
    pub shared: bool,
    /// Whether `memref.dealloc` may free it: it is a whole allocation.
    pub whole: bool,
}
