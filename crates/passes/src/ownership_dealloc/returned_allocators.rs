//! The allocators of the memory that a function returns. Memory is freed by the counterpart of its allocator.

use memplan_semantics::Allocator;
use smallvec::SmallVec;

/// By result memref, the operation that frees it; `memref.dealloc` for those that are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedAllocators(pub SmallVec<[(usize, &'static str); 1]>);

impl ReturnedAllocators {
    /// The allocator of the result memref `at`.
    pub fn of(&self, at: usize) -> Allocator {
        let other = self.0.iter().find(|(one, _)| *one == at);
        other.map_or(Allocator::Memref, |(_, name)| Allocator::FreedBy(name))
    }
}
