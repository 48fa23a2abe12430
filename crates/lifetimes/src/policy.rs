//! What calls do with memrefs.

use memplan_mlir::{
    calls::{self, callee_symbol, function_body},
    ir::{Identity, Key, Op},
};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// What becomes of one memref argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallPolicy {
    /// The callee only uses it while it runs.
    Borrows,
    /// The callee may keep it, or free it.
    Keeps,
    /// The callee has a body that may not be looked at from here.
    Unseen,
    /// The callee is a value, or is not found.
    Indirect,
}

impl CallPolicy {
    pub(crate) const fn bodyless(keeps: bool) -> Self {
        if keeps { Self::Keeps } else { Self::Borrows }
    }
}

/// What is known of callees.
pub trait Callees: Sync {
    /// What `call` does with the memref at place `argument` of its arguments.
    fn policy(&self, call: Op<'_>, argument: usize) -> CallPolicy;

    /// Whether `call` is of a function without a body, of which it is taken that it frees nothing, and keeps nothing but
    /// what another argument can hold.
    fn is_of_borrower(&self, call: Op<'_>) -> bool;
}

/// For passes that run on one function: the bodies of others may be changing at this moment.
#[derive(Debug, Default)]
pub struct NoCallees {
    bodyless_keep: bool,
    /// By symbol: what was found.
    found: Mutex<FxHashMap<Key, CallPolicy>>,
}

impl NoCallees {
    /// A callee without a body keeps nothing, unless `bodyless_keep` is set.
    pub fn new(bodyless_keep: bool) -> Self {
        Self {
            bodyless_keep,
            found: Mutex::default(),
        }
    }
}

impl Callees for NoCallees {
    fn policy(&self, call: Op<'_>, _argument: usize) -> CallPolicy {
        let Some(symbol) = callee_symbol(call) else {
            return CallPolicy::Indirect;
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found
            .entry(symbol.key())
            .or_insert_with(|| match calls::callee(call) {
                None => CallPolicy::Indirect,
                Some(callee) if function_body(callee).is_some() => CallPolicy::Unseen,
                Some(_) => CallPolicy::bodyless(self.bodyless_keep),
            })
    }

    fn is_of_borrower(&self, call: Op<'_>) -> bool {
        self.policy(call, 0) == CallPolicy::Borrows
    }
}
