//! The cached facts about a function's operations.
//!
//! While a pass works on a function, facts are found by the identity of operations, and are dropped when the
//! operation [changes](memplan_mlir::changes). Between passes they are kept in walk order, as another operation may
//! get the address of an erased one. The names show whether the operations are still the same.

use crate::{
    fact_cache::{FactCache, OpFacts},
    semantics::Semantics,
};
use memplan_mlir::ir::Op;

/// The cached facts about a function, valid while the function stays unchanged.
#[derive(Default)]
pub struct Reading {
    semantics: Semantics,
    cache: Vec<OpFacts>,
}

impl Reading {
    /// The facts, ready for queries about the function's operations; `None` if the function has other operations now.
    pub fn of(self, function: Op<'_>) -> Option<Semantics> {
        let mut semantics = self.semantics;
        semantics.cache = Some(FactCache::resume(self.cache, function)?);
        Some(semantics)
    }
}

impl Semantics {
    /// A `Semantics` that caches facts about operations, until functions of `memplan_mlir` change these.
    pub fn caching() -> Self {
        let mut semantics = Self::default();
        semantics.cache = Some(FactCache::default());
        semantics
    }

    /// Has this thread changed the IR since the cache was created?
    pub fn is_changed(&self) -> bool {
        self.cache.as_ref().is_none_or(FactCache::is_changed)
    }

    /// Are any facts cached?
    pub(crate) fn has_cached_facts(&self) -> bool {
        self.cache.as_ref().is_some_and(|all| !all.is_empty())
    }

    /// The cached facts about a function, for later passes.
    pub fn into_reading(mut self, function: Op<'_>) -> Reading {
        let cache = self.cache.take().unwrap_or_default();
        Reading {
            semantics: self,
            cache: cache.into_walk_order(function),
        }
    }
}
