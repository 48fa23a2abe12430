//! Classes of memrefs that may alias.

use super::{
    facts::{Function, Reason, ScopeId, ValueId},
    reach::Reach,
    summary::{AliasSet, Summary, Version},
};
use rustc_hash::FxHashMap;

/// Memrefs of a function that may alias.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Why the memory cannot be placed in a region.
    pub rejected: Option<Reason>,
    /// The innermost scope that contains the definitions of all memrefs of the class.
    pub common_scope: Option<ScopeId>,
    /// A memref of the class is returned.
    pub is_returned: bool,
    /// The function or a callee allocates some of the memory.
    pub is_allocated: bool,
    /// Some of the allocated memory may be returned.
    pub returns_allocation: bool,
    /// The memory is placed in a region unless it is rejected: some of it has a dynamic size, or is borrowed
    /// from a callee or allocated by one.
    pub is_candidate: bool,
}

/// The classes of a function, and how far the memory of its memrefs reaches.
pub struct Solved {
    /// For each memref, the number of its class.
    pub class_of: Vec<u32>,
    /// The classes. Numbers that are no class have a default entry.
    pub classes: Vec<Class>,
    /// For each memref, how far its memory reaches.
    pub reach: Vec<Reach>,
}

impl Solved {
    /// The class of a memref.
    pub fn class(&self, value: ValueId) -> &Class {
        &self.classes[self.class_of[value.index()] as usize]
    }

    /// The summary of the function for its callers.
    pub fn summary(&self, function: &Function) -> Summary {
        let mut number: FxHashMap<u32, usize> = FxHashMap::default();
        let mut alias_sets: Vec<AliasSet> = Vec::new();
        let mut of = |value: ValueId, alias_sets: &mut Vec<AliasSet>| {
            let class = self.class_of[value.index()];
            *number.entry(class).or_insert_with(|| {
                let of = &self.classes[class as usize];
                alias_sets.push(AliasSet {
                    rejected: of.rejected,
                    is_allocated: of.returns_allocation,
                    ..AliasSet::default()
                });
                alias_sets.len() - 1
            })
        };
        for (at, value) in function.arguments.iter().enumerate() {
            if let Some(value) = value {
                let class = of(*value, &mut alias_sets);
                alias_sets[class].arguments.push(at);
            }
        }
        // All returns of a function are in the same classes, so one of them is enough.
        for (at, value) in function.returns.first().into_iter().flatten().enumerate() {
            if let Some(value) = value {
                let class = of(*value, &mut alias_sets);
                alias_sets[class].results.push(at);
            }
        }
        Summary { alias_sets }
    }

    /// The version of the callee that a call calls.
    pub fn version(&self, function: &Function, call: usize, summaries: &[Summary]) -> Version {
        let call = &function.calls[call];
        let mut borrowed = summaries[call.callee].borrowed_results().peekable();
        let is_placeable = |result: usize| {
            let value = call.results.get(result).copied().flatten();
            value.is_some_and(|value| self.class(value).rejected.is_none())
        };
        if borrowed.peek().is_some() && borrowed.all(is_placeable) {
            Version::Region
        } else {
            Version::Heap
        }
    }
}
