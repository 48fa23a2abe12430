//! Facts about the callee of a call, and assumptions about functions without a body.
//!
//! Attributes of declarations are read only here: `memplan.borrowed` of results, and the functions of MLIR's
//! runtime library. [`Target`](crate::Target) handles `memplan.nocallback`.

use crate::summary::FunctionSummary;
use memplan_mlir::{
    calls::{self, callee_symbol, function_body},
    ir::{Identity, Key, Op},
};
use memplan_semantics::attributes;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// Facts about a callee.
#[derive(Clone, Copy)]
pub enum Callee<'s> {
    /// A function whose body was read.
    Known(&'s FunctionSummary),
    /// One of several functions, all of which were read.
    OneOf {
        /// The union of their effects.
        summary: &'s FunctionSummary,
        /// Results that at least one of them declares as borrowed.
        borrowed: &'s [u32],
    },
    /// A function without a body. It frees nothing. It captures an argument only in memory of another
    /// argument, or with `calls=capture`, anywhere.
    Declared {
        /// Whether it captures every argument.
        captures: bool,
        /// Results that are declared as borrowed, if that was queried.
        borrowed: &'s [u32],
    },
    /// A function with a body that must not be inspected here.
    Unseen,
    /// An indirect call, or an unknown symbol.
    Unknown {
        /// Results that a possible callee declares as borrowed, if that was queried.
        borrowed: &'s [u32],
    },
}

impl Callee<'_> {
    /// The most bytes of heap that a call may hold at once; `u64::MAX` if that is not known. A callee without a body is
    /// taken to allocate nothing, unless it captures all that it gets: then nothing is known of it.
    pub fn heap(&self) -> u64 {
        match self {
            Self::Known(summary) | Self::OneOf { summary, .. } => summary.heap,
            Self::Declared { captures, .. } if !captures => 0,
            Self::Declared { .. } | Self::Unseen | Self::Unknown { .. } => u64::MAX,
        }
    }
}

/// Source of facts about callees.
pub trait Callees: Sync {
    /// Facts about the callee of `call`.
    fn callee(&self, call: Op<'_>) -> Callee<'_>;
}

/// Facts for passes on single functions: other threads may change the bodies of other functions.
#[derive(Debug, Default)]
pub struct NoCallees {
    captures: bool,
    /// Results of lookups, by symbol.
    found: Mutex<FxHashMap<Key, Found>>,
}

#[derive(Clone, Copy, Debug)]
enum Found {
    Nothing,
    Body,
    Declaration,
}

impl NoCallees {
    /// With `captures`, a callee without a body captures its arguments.
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

/// Results, among the first `results`, that a function declares as borrowed.
pub(crate) fn borrowed(function: Op<'_>, results: usize) -> impl Iterator<Item = usize> {
    let says = attributes::may_describe_results(function);
    let all = 0..if says { results } else { 0 };
    all.filter(move |at| attributes::is_result_borrowed(function, *at))
}
