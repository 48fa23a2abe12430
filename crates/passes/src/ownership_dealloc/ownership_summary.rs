//! Summaries of private functions that return ownership flags. For each result memref: whether the caller
//! becomes its owner, and what it may alias if not.

use memplan_mlir::ir::{Identity, Key, Op};
use memplan_ownership::plan::Ownership;
use memplan_summaries::{Callee, Callees as _, FreesArgument, FunctionSummary, Summaries};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

pub use memplan_semantics::attributes::OWNED_RESULTS as MARK;

/// The summary of one result memref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnershipSummary {
    /// Whether the caller becomes the owner.
    pub owned: Ownership,
    /// The arguments that it may alias.
    pub arguments: SmallVec<[usize; 2]>,
    /// The other result memrefs that it may alias.
    pub results: SmallVec<[usize; 2]>,
    /// It may be memory that is neither new nor an argument.
    pub elsewhere: bool,
    /// Its data may start elsewhere than that of its base.
    pub is_shifted: bool,
}

impl Default for OwnershipSummary {
    fn default() -> Self {
        Self {
            owned: Ownership::Never,
            arguments: SmallVec::new(),
            results: SmallVec::new(),
            elsewhere: false,
            is_shifted: false,
        }
    }
}

impl OwnershipSummary {
    /// Summaries of `count` results of which nothing is known.
    pub fn unknown(count: usize) -> Vec<Self> {
        let ownership = |at| Self {
            owned: Ownership::Dynamic,
            arguments: SmallVec::new(),
            results: (0..count).filter(|other| *other != at).collect(),
            elsewhere: true,
            is_shifted: true,
        };
        (0..count).map(ownership).collect()
    }
}

/// The summaries that a function sees of its callees.
pub struct Callees<'f> {
    ownership: FxHashMap<Key, Rc<[OwnershipSummary]>>,
    summaries: &'f Summaries,
}

/// Callees for escape analysis. A callee that captures or frees an argument captures all; others capture
/// nothing, but may return any argument.
pub struct CapturingCallees<'f>(&'f Summaries);

impl memplan_summaries::Callees for CapturingCallees<'_> {
    fn callee(&self, call: Op<'_>) -> Callee<'_> {
        let captures_any = |summary: &FunctionSummary| {
            let mut arguments = summary.arguments.iter();
            arguments.any(|one| one.is_captured || one.frees != FreesArgument::No)
        };
        match self.0.callee(call) {
            Callee::Known(summary) | Callee::OneOf { summary, .. } if captures_any(summary) => {
                Callee::Unseen
            }
            _ => Callee::Declared {
                captures: false,
                borrowed: &[],
            },
        }
    }
}

impl<'f> Callees<'f> {
    /// The callees of a function, none of which returns flags.
    pub fn new(summaries: &'f Summaries) -> Self {
        Self {
            ownership: FxHashMap::default(),
            summaries,
        }
    }

    /// The callees for escape analysis. Callees that were not read capture nothing.
    pub fn capturing_callees(&self) -> CapturingCallees<'f> {
        CapturingCallees(self.summaries)
    }

    /// The ownership of a call's results, if the callee returns flags.
    pub fn ownership_of_results(&self, call: Op<'_>) -> Option<&[OwnershipSummary]> {
        self.ownership.get(&call.key()).map(AsRef::as_ref)
    }

    /// The summary of a call's callee, if it was read.
    pub fn summary(&self, call: Op<'_>) -> Option<&'f FunctionSummary> {
        match self.summaries.callee(call) {
            Callee::Known(summary) | Callee::OneOf { summary, .. } => Some(summary),
            Callee::Declared { .. } | Callee::Unseen | Callee::Unknown { .. } => None,
        }
    }

    /// Whether the callee declares a result as borrowed.
    pub fn is_borrowed(&self, call: Op<'_>, result: usize) -> bool {
        match self.summaries.callee(call) {
            Callee::Known(summary) => {
                let result = summary.results.get(result);
                result.is_some_and(|result| result.is_borrowed)
            }
            Callee::Declared { borrowed, .. }
            | Callee::OneOf { borrowed, .. }
            | Callee::Unknown { borrowed } => borrowed.contains(&(result as u32)),
            Callee::Unseen => false,
        }
    }

    /// Whether the possible callees of an indirect call differ in the ownership of their results.
    pub fn disagree(&self, call: Op<'_>) -> bool {
        self.summaries.disagree(call)
    }

    /// The summary of a function itself, if it was read for its callers.
    pub fn of_function(&self, function: Op<'_>) -> Option<&'f FunctionSummary> {
        self.summaries.of_function(function)
    }

    /// The numbers of the arguments that a function itself becomes the owner of.
    pub fn taken_over(&self, function: Op<'_>) -> SmallVec<[u32; 2]> {
        let summary = self.of_function(function).into_iter();
        summary.flat_map(FunctionSummary::taken_over).collect()
    }

    /// Records the ownership of a call's results.
    pub fn insert(&mut self, call: Op<'_>, ownership: Rc<[OwnershipSummary]>) {
        self.ownership.insert(call.key(), ownership);
    }
}
