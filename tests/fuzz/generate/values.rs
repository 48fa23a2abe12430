//! Memref values of the program that is being made, and which of them may be the same memory.

use std::collections::BTreeSet;

use super::types::Type;

/// What a value may refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots {
    /// Allocations, by number; numbers grow in the order in which they are made.
    pub known: BTreeSet<u32>,
    /// And anything of a smaller number than this. A merge refers to what was allocated before it, so that what is
    /// allocated later, and seen beside it, is other memory.
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

    /// Anything that there is.
    pub fn any_before(number: u32) -> Self {
        Self {
            known: BTreeSet::new(),
            before: number,
        }
    }

    /// May both be the same memory?
    pub fn overlap(&self, other: &Self) -> bool {
        let reaches = |one: &Self, two: &Self| {
            one.before > 0 && two.known.iter().any(|root| *root < one.before)
        };
        !self.known.is_disjoint(&other.known)
            || reaches(self, other)
            || reaches(other, self)
            || (self.before > 0 && other.before > 0)
    }

    /// What either refers to.
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
    /// What it may refer to.
    pub roots: Roots,
    /// Every element has been written: it may be read and handed on. Else it may only be written whole.
    pub written: bool,
    /// Others may use it at the same time: it is not to be written.
    pub shared: bool,
    /// `memref.dealloc` may free it: it is what was allocated, not a part of it.
    pub whole: bool,
}
