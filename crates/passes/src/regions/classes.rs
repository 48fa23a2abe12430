//! The classes of memrefs of a function that are solved for.

use super::{
    facts::{Function, Reason, ScopeId, ValueId},
    reach::Reach,
    summary::{Shared, Summary, Version},
};
use rustc_hash::FxHashMap;

/// Memory that is one.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Why it cannot go to a region.
    pub stuck: Option<Reason>,
    /// The innermost scope in which all of its memrefs come into being.
    pub top: Option<ScopeId>,
    /// It is returned.
    pub is_returned: bool,
    /// The function, or what it calls, makes some of it.
    pub is_made: bool,
    /// Some of what is made may be returned.
    pub is_given: bool,
    /// It has to go to a region if it can: only the run knows how large some of it is, or what is called lends or makes
    /// it.
    pub is_wanted: bool,
}

/// A function whose classes are known.
pub struct Solved {
    /// For each memref, its class.
    pub class: Vec<u32>,
    /// The classes; of those that are none, nothing.
    pub classes: Vec<Class>,
    /// For each memref, how far its memory goes from there.
    pub reach: Vec<Reach>,
}

impl Solved {
    /// The class of a memref.
    pub fn of(&self, value: ValueId) -> &Class {
        &self.classes[self.class[value.index()] as usize]
    }

    /// What callers have to know.
    pub fn summary(&self, function: &Function) -> Summary {
        let mut number: FxHashMap<u32, usize> = FxHashMap::default();
        let mut shared: Vec<Shared> = Vec::new();
        let mut of = |value: ValueId, shared: &mut Vec<Shared>| {
            let class = self.class[value.index()];
            *number.entry(class).or_insert_with(|| {
                let of = &self.classes[class as usize];
                shared.push(Shared {
                    stuck: of.stuck,
                    is_made: of.is_given,
                    ..Shared::default()
                });
                shared.len() - 1
            })
        };
        for (at, value) in function.arguments.iter().enumerate() {
            if let Some(value) = value {
                let class = of(*value, &mut shared);
                shared[class].arguments.push(at);
            }
        }
        // The returns of a function are joined: one says it all.
        for (at, value) in function.returns.first().into_iter().flatten().enumerate() {
            if let Some(value) = value {
                let class = of(*value, &mut shared);
                shared[class].results.push(at);
            }
        }
        Summary { shared }
    }

    /// Which version of its callee a call calls.
    pub fn version(&self, function: &Function, call: usize, summaries: &[Summary]) -> Version {
        let call = &function.calls[call];
        let mut lent = summaries[call.callee].lent().peekable();
        let is_free = |result: usize| {
            let value = call.results.get(result).copied().flatten();
            value.is_some_and(|value| self.of(value).stuck.is_none())
        };
        if lent.peek().is_some() && lent.all(is_free) {
            Version::Region
        } else {
            Version::Heap
        }
    }
}
