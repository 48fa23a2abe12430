//! What is known of the callee of a call, and what is taken of functions without a body.
//!
//! A declaration is read here, and nowhere else: `memplan.borrowed` of results, and what is known of functions of MLIR's
//! runtime library; `memplan.nocallback` is a matter of [`Target`](crate::Target).

use crate::summary::FunctionSummary;
use memplan_mlir::{
    calls::{self, callee_symbol, function_body},
    ir::{Identity, Key, Op},
};
use memplan_semantics::attributes;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// What is known of a callee.
#[derive(Clone, Copy)]
pub enum Callee<'s> {
    /// Its body was read.
    Known(&'s FunctionSummary),
    /// It is one of the functions that this stands for, all of which were read.
    OneOf {
        /// What they do, together.
        summary: &'s FunctionSummary,
        /// The results that one of them says stay somebody else's.
        borrowed: &'s [u32],
    },
    /// It has no body. It frees nothing, and captures nothing but in what another argument can hold, or, where the
    /// `calls=capture` says so, everything.
    Declared {
        /// It captures everything.
        captures: bool,
        /// The results that it says stay somebody else's, as far as that was asked.
        borrowed: &'s [u32],
    },
    /// It has a body that may not be looked at from here.
    Unseen,
    /// It is a value, or is not found.
    Unknown {
        /// The results that a function which it may be says stay somebody else's, as far as that was asked.
        borrowed: &'s [u32],
    },
}

/// What is known of callees.
pub trait Callees: Sync {
    /// What is known of the callee of `call`.
    fn callee(&self, call: Op<'_>) -> Callee<'_>;
}

/// For passes that run on one function: the bodies of others may be changing at this moment.
#[derive(Debug, Default)]
pub struct NoCallees {
    captures: bool,
    /// By symbol: what was found.
    found: Mutex<FxHashMap<Key, Found>>,
}

#[derive(Clone, Copy, Debug)]
enum Found {
    Nothing,
    Body,
    Declaration,
}

impl NoCallees {
    /// A callee without a body captures nothing, unless `captures` is set.
    pub fn new(captures: bool) -> Self {
        Self {
            captures,
            found: Mutex::default(),
        }
    }
}

impl Callees for NoCallees {
    fn callee(&self, call: Op<'_>) -> Callee<'_> {
        let Some(symbol) = callee_symbol(call) else {
            return Callee::Unknown { borrowed: &[] };
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = found
            .entry(symbol.key())
            .or_insert_with(|| match calls::callee(call) {
                None => Found::Nothing,
                Some(callee) if function_body(callee).is_some() => Found::Body,
                Some(_) => Found::Declaration,
            });
        match found {
            Found::Nothing => Callee::Unknown { borrowed: &[] },
            Found::Body => Callee::Unseen,
            Found::Declaration => Callee::Declared {
                captures: self.captures,
                borrowed: &[],
            },
        }
    }
}

/// The results that a function says stay somebody else's, of so many.
pub(crate) fn borrowed(function: Op<'_>, results: usize) -> impl Iterator<Item = usize> {
    let says = attributes::may_describe_results(function);
    let all = 0..if says { results } else { 0 };
    all.filter(move |at| attributes::is_result_borrowed(function, *at))
}
