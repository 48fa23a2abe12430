//! Memory is given back by the counterpart of what allocated it.

use memplan_semantics::Allocator;
use smallvec::SmallVec;

/// What gives back the memory that a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// For some of its memrefs, an operation of this name; for the others, `memref.dealloc`.
    Known(SmallVec<[(usize, &'static str); 1]>),
    /// That is still to be found out.
    Pending,
    /// Nobody knows.
    Anything,
}

impl Default for Returned {
    fn default() -> Self {
        Self::Known(SmallVec::new())
    }
}

impl Returned {
    /// May any of it not be given back by `memref.dealloc`, as far as is known?
    pub fn has_others(&self) -> bool {
        match self {
            Self::Known(others) => !others.is_empty(),
            Self::Pending => false,
            Self::Anything => true,
        }
    }

    /// Of one of its memrefs; `None` where that is not known.
    pub fn of(&self, at: usize) -> Option<Allocator> {
        let Self::Known(others) = self else {
            return None;
        };
        let other = others.iter().find(|(one, _)| *one == at);
        Some(other.map_or(Allocator::Memref, |(_, name)| Allocator::FreedBy(name)))
    }
}
