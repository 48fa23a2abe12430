//! What a private function tells its callers of each memref that it returns: whether they become its
//! owner, by a flag, and whose memory it may be where they do not.

use memplan_mlir::ir::{Identity, Key, Op};
use memplan_ownership::plan::Flag;
use memplan_summaries::{Callee, Callees as _, FreesArgument, FunctionSummary, Summaries};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

pub use memplan_semantics::attributes::OWNED_RESULTS as MARK;

/// Of one memref that a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnershipSummary {
    /// Whether the caller becomes the owner.
    pub owned: Flag,
    /// The arguments whose memory it may be.
    pub arguments: SmallVec<[usize; 2]>,
    /// The other memrefs returned whose memory it may be.
    pub results: SmallVec<[usize; 2]>,
    /// It may be memory that is neither new nor an argument.
    pub elsewhere: bool,
    /// Its data may start elsewhere than that of what it is a view of.
    pub is_shifted: bool,
}

impl Default for OwnershipSummary {
    fn default() -> Self {
        Self {
            owned: Flag::No,
            arguments: SmallVec::new(),
            results: SmallVec::new(),
            elsewhere: false,
            is_shifted: false,
        }
    }
}

impl OwnershipSummary {
    /// So many of which nothing is known.
    pub fn anything(count: usize) -> Vec<Self> {
        let told = |at| Self {
            owned: Flag::Dynamic,
            arguments: SmallVec::new(),
            results: (0..count).filter(|other| *other != at).collect(),
            elsewhere: true,
            is_shifted: true,
        };
        (0..count).map(told).collect()
    }
}

/// What is known of calls.
pub struct Callees<'f> {
    told: FxHashMap<Key, Rc<[OwnershipSummary]>>,
    summaries: &'f Summaries,
}

/// Callees that keep or free something keep all; the others may give what they are given, and keep nothing.
pub struct KeepNothing<'f>(&'f Summaries);

impl memplan_summaries::Callees for KeepNothing<'_> {
    fn callee(&self, call: Op<'_>) -> Callee<'_> {
        let keeps = |summary: &FunctionSummary| {
            let mut arguments = summary.arguments.iter();
            arguments.any(|one| one.is_captured || one.frees != FreesArgument::No)
        };
        match self.0.callee(call) {
            Callee::Known(summary) | Callee::OneOf { summary, .. } if keeps(summary) => {
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
    /// Of a function's calls, with what callees do; none of them returns flags.
    pub fn new(summaries: &'f Summaries) -> Self {
        Self {
            told: FxHashMap::default(),
            summaries,
        }
    }

    /// Which callees keep something; those that were not read do not.
    pub fn keep_nothing(&self) -> KeepNothing<'f> {
        KeepNothing(self.summaries)
    }

    /// What is known of the results of a call.
    pub fn of(&self, call: Op<'_>) -> Option<&[OwnershipSummary]> {
        self.told.get(&call.key()).map(AsRef::as_ref)
    }

    /// What the callee does, if it was read.
    pub fn summary(&self, call: Op<'_>) -> Option<&'f FunctionSummary> {
        match self.summaries.callee(call) {
            Callee::Known(summary) | Callee::OneOf { summary, .. } => Some(summary),
            Callee::Declared { .. } | Callee::Unseen | Callee::Unknown { .. } => None,
        }
    }

    /// Does the callee say that a result stays somebody else's?
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

    /// May a call of a value call functions that do not say the same of whose its results are?
    pub fn disagree(&self, call: Op<'_>) -> bool {
        self.summaries.disagree(call)
    }

    /// What is known of a function itself, if it was read for its callers.
    pub fn of_function(&self, function: Op<'_>) -> Option<&'f FunctionSummary> {
        self.summaries.of_function(function)
    }

    /// The arguments that a function itself becomes the owner of, by number.
    pub fn taken_over(&self, function: Op<'_>) -> SmallVec<[u32; 2]> {
        let summary = self.of_function(function).into_iter();
        summary.flat_map(FunctionSummary::taken_over).collect()
    }

    /// Records what is known of the results of a call.
    pub fn insert(&mut self, call: Op<'_>, told: Rc<[OwnershipSummary]>) {
        self.told.insert(call.key(), told);
    }
}
