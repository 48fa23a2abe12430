//! Memory is freed by the counterpart of what allocated it.

use memplan_semantics::Allocator;
use smallvec::SmallVec;

/// What frees the memory that a function returns: for some of its memrefs, an operation of this name; for the others,
/// `memref.dealloc`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned(pub SmallVec<[(usize, &'static str); 1]>);

impl Returned {
    /// Of one of its memrefs.
    pub fn of(&self, at: usize) -> Allocator {
        let other = self.0.iter().find(|(one, _)| *one == at);
        other.map_or(Allocator::Memref, |(_, name)| Allocator::FreedBy(name))
    }
}
