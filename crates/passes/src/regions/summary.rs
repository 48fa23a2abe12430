//! Summaries of functions for their callers: which arguments and results may alias.

use super::facts::{Call, Function, Reason, ValueId};
use smallvec::SmallVec;

/// A version of a function, by the owner of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// The caller owns and frees the results.
    Heap,
    /// The results are borrowed: from the region that the caller passes, or from the owner of an argument.
    Region,
}

/// Arguments and results that may alias.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasSet {
    /// The numbers of the arguments.
    pub arguments: SmallVec<[usize; 2]>,
    /// The numbers of the results.
    pub results: SmallVec<[usize; 1]>,
    /// Why the memory cannot be placed in a region.
    pub rejected: Option<Reason>,
    /// The function allocates some of the memory of the results.
    pub is_allocated: bool,
}

impl AliasSet {
    /// Whether the results are borrowed in [`Version::Region`].
    pub fn is_borrowed(&self) -> bool {
        self.rejected.is_none() && !self.results.is_empty()
    }
}

/// The facts about a function that its callers need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All arguments and results that are memrefs, each in one set.
    pub alias_sets: Vec<AliasSet>,
}

impl Summary {
    /// The summary if nothing is known: all memrefs may alias, and are rejected.
    pub fn worst_case(function: &Function) -> Self {
        let some = |slots: &[Option<ValueId>]| {
            let all = slots.iter().enumerate();
            all.filter_map(|(at, slot)| slot.map(|_| at))
                .collect::<Vec<_>>()
        };
        let results = function.returns.first().map(|slots| some(slots));
        Self {
            alias_sets: vec![AliasSet {
                arguments: some(&function.arguments).into(),
                results: results.unwrap_or_default().into(),
                rejected: Some(Reason::Rounds),
                is_allocated: false,
            }],
        }
    }

    /// Whether [`Version::Region`] allocates memory for its results, so that it needs a region.
    pub fn needs_region(&self) -> bool {
        self.alias_sets
            .iter()
            .any(|one| one.is_borrowed() && one.is_allocated)
    }

    /// The results of a call that may be memory that the callee allocates.
    pub fn allocated_results(&self, call: &Call) -> impl Iterator<Item = ValueId> {
        let allocated = self.alias_sets.iter();
        let allocated = allocated.filter(|one| one.is_borrowed() && one.is_allocated);
        let allocated = allocated.flat_map(|one| &one.results);
        allocated.filter_map(|at| call.results.get(*at).copied().flatten())
    }

    /// The results that are borrowed in [`Version::Region`].
    pub fn borrowed_results(&self) -> impl Iterator<Item = usize> {
        let borrowed = self.alias_sets.iter().filter(|one| one.is_borrowed());
        borrowed.flat_map(|one| one.results.iter().copied())
    }
}
