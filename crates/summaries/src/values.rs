//! Facts about the possible callees of indirect calls.

use crate::{callee, summary::FunctionSummary};
use memplan_mlir::melior::ir::Type;
use memplan_mlir::{
    calls::{called_type, function_body},
    ir::{Identity, Key, Op, blocks, operands, results, successors, terminator, type_of},
    symbols::function_type,
};
use memplan_semantics::Allocator;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Union of the summaries of possible callees.
pub(crate) struct OfValues {
    any: FunctionSummary,
    /// As `any`, with an unknown allocator of the results.
    with_others: FunctionSummary,
    /// Result types of functions that return memory of other allocators.
    others: Vec<SmallVec<[Key; 2]>>,
}

/// Borrowed results of possible callees, by function type.
#[derive(Default)]
pub(crate) struct BorrowedOfValues(FxHashMap<Key, OfType>);

/// Borrowed results of the functions of one type.
#[derive(Default)]
struct OfType {
    /// Results that at least one of them declares as borrowed.
    borrowed: SmallVec<[u32; 2]>,
    /// Whether they disagree on borrowed results.
    disagrees: bool,
}

impl BorrowedOfValues {
    /// Collects the declarations of these functions.
    pub(crate) fn of(functions: &[Op<'_>]) -> Self {
        let mut all: FxHashMap<Key, OfType> = FxHashMap::default();
        let mut seen: FxHashMap<Key, SmallVec<[u32; 2]>> = FxHashMap::default();
        for function in functions {
            let Some(r#type) = function_type(*function) else {
                continue;
            };
            let key = Type::from(r#type).key();
            let says: SmallVec<[u32; 2]> = callee::borrowed(*function, r#type.result_count())
                .map(|at| at as u32)
                .collect();
            let first = seen.entry(key).or_insert_with(|| says.clone());
            if says.is_empty() && first.is_empty() {
                continue;
            }
            let of_type = all.entry(key).or_default();
            of_type.disagrees |= *first != says;
            for at in first.iter().chain(&says) {
                if !of_type.borrowed.contains(at) {
                    of_type.borrowed.push(*at);
                }
            }
        }
        Self(all)
    }

    /// Results of an indirect call that may be borrowed.
    pub(crate) fn of_call(&self, call: Op<'_>) -> &[u32] {
        self.of_type(call).map_or(&[], |known| &known.borrowed)
    }

    /// Whether the possible callees of an indirect call disagree on borrowed results.
    pub(crate) fn disagree(&self, call: Op<'_>) -> bool {
        self.of_type(call).is_some_and(|known| known.disagrees)
    }

    fn of_type(&self, call: Op<'_>) -> Option<&OfType> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&called_type(call)?.key())
    }
}

impl OfValues {
    pub(crate) fn none() -> Self {
        let any = FunctionSummary {
            is_union: true,
            copies_returned: true,
            ..FunctionSummary::default()
        };
        Self {
            with_others: any.clone(),
            any,
            others: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, function: Op<'_>, summary: &FunctionSummary) {
        let is_other = |by: Option<Allocator>| by != Some(Allocator::Memref);
        self.any.add(summary);
        if summary
            .results
            .iter()
            .any(|result| is_other(result.freed_by))
        {
            let ends = function_body(function).into_iter().flat_map(blocks);
            let ends = ends.filter_map(terminator);
            let mut ends = ends.filter(|last| successors(*last).next().is_none());
            let types = ends.next().into_iter().flat_map(operands).map(type_of);
            self.others.push(types.map(|one| one.key()).collect());
        }
    }

    pub(crate) fn settle(&mut self) {
        self.with_others = self.any.clone();
        for result in &mut self.with_others.results {
            result.freed_by = None;
        }
    }

    /// Union over the possible callees of an indirect call.
    pub(crate) fn like(&self, call: Op<'_>) -> &FunctionSummary {
        if self.others.is_empty() {
            return &self.any;
        }
        let types: SmallVec<[Key; 2]> = results(call).map(|one| type_of(one).key()).collect();
        match self.others.contains(&types) {
            true => &self.with_others,
            false => &self.any,
        }
    }
}
