//! What is asked of called functions: which arguments they free or capture, how the memory that they return is freed, and
//! which addresses they return as numbers.

use super::{read::describe, tellers, told::MARK};
use crate::block_graph::walk;
use memplan_mlir::{
    calls::function_body,
    ir::{
        Identity, Op, blocks, is_memref, nested_memrefs, operands, ops, parent, regions, results,
        type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Allocator, NameSays, Readings, Semantics, TypeClass};
use memplan_summaries::{
    CallGraph, Callee, Callees, Contract, FunctionSummary, Question, Questions, Summaries, Words,
    summary_of,
};
use rustc_hash::FxHashSet;

/// A function by itself: nothing is known of what it calls. `None` where it does nothing that a caller has to know of.
pub fn alone(function: Op<'_>, semantics: &mut Semantics) -> Option<FunctionSummary> {
    let body = function_body(function)?;
    let mut tells = false;
    let mut words = Words::default();
    walk(body, &mut |op| {
        tells |= is_telling(op, semantics) || words.give_address(op, semantics);
    });
    tells.then(|| summary_of(function, body, semantics, &NotAsked, question(true)))
}

/// Callees of which nothing is known.
struct NotAsked;

impl Callees for NotAsked {
    fn callee(&self, _call: Op<'_>) -> Callee<'_> {
        Callee::Declared {
            captures: false,
            borrowed: &[],
        }
    }
}

const fn question(numbers: bool) -> Question {
    Question {
        contract: Contract::Ownership,
        numbers,
        describe,
    }
}

/// Of all calls at or below a module, which are `calls` in `all` of its functions, whose private functions return flags if
/// they are `is_private`. Nobody else may change it meanwhile.
pub fn of_run<'c>(
    root: Op<'c>,
    all: &[Op<'c>],
    calls: &[Op<'c>],
    is_private: bool,
    readings: &Readings,
) -> Summaries {
    let mut semantics = Semantics::default();
    if calls.is_empty() {
        return Summaries::default();
    }
    if semantics.info(root).is_function() {
        return Summaries::of_marks(calls, semantics.names());
    }
    let (mut numbers, mut has_others) = (false, false);
    let mut words = Words::default();
    let mut matters: Vec<bool> = Vec::with_capacity(all.len());
    for function in all {
        let mut tells = function.has_attribute("res_attrs");
        if let Some(body) = function_body(*function) {
            walk(body, &mut |op| {
                tells |= is_telling(op, &mut semantics);
                numbers |= words.give_address(op, &mut semantics)
                    || gives_more_than_data(op, &mut semantics);
                has_others |= allocates_otherwise(semantics.says(op));
            });
        }
        matters.push(tells);
    }
    if !matters.contains(&true) && !has_borrowed_declarations(all, &mut semantics) {
        return Summaries::default();
    }
    let mut graph = CallGraph::of(root, all.to_vec());
    let mut with_flags = match is_private {
        true => tellers::telling(&graph, &mut semantics),
        false => vec![false; all.len()],
    };
    for (at, function) in all.iter().enumerate() {
        // What an earlier run changed says still whose memory it returns.
        with_flags[at] |= function.has_attribute(MARK);
        matters[at] |= with_flags[at] || numbers;
    }
    let questions = Questions {
        question: question(numbers),
        declared_capture: false,
        freed_by: (!has_others).then_some(Allocator::Memref),
        with_flags,
        matters,
    };
    Summaries::of(&mut graph, &questions, readings)
}

/// Does a function without a body, beside one of these, say anything of its results?
fn has_borrowed_declarations(all: &[Op<'_>], semantics: &mut Semantics) -> bool {
    let mut seen = FxHashSet::default();
    let mut tables = all.iter().filter_map(|function| parent(*function));
    tables.any(|table| {
        seen.insert(table.key())
            && regions(table).flat_map(blocks).flat_map(ops).any(|op| {
                op.has_attribute("res_attrs")
                    && semantics.info(op).is_function()
                    && function_body(op).is_none()
            })
    })
}

/// The calls in these functions, and operations of which nothing is known, which may call anything.
pub fn calls_in<'c>(functions: &[Op<'c>]) -> Vec<Op<'c>> {
    let mut semantics = Semantics::default();
    let mut calls = Vec::new();
    let bodies = functions.iter().copied().filter_map(function_body);
    for body in bodies {
        walk(body, &mut |op| {
            let info = semantics.info(op);
            if info.is_call() || !info.is_registered() {
                calls.push(op);
            }
        });
    }
    calls
}

/// May an operation do what a caller has to know of?
fn is_telling(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let says = semantics.says(op);
    says.frees
        || says.frees_by_flags
        || says.gives_addresses
        || says.may_outlive
        || says.is_described
        || says.models_deallocation
        || allocates_otherwise(says)
        || operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
        || (says.may_store_by_symbol && operands(op).any(|one| is_memref(type_of(one))))
        || gives_more_than_data(op, semantics)
}

/// May an operation allocate memory that is not freed by `memref.dealloc`?
fn allocates_otherwise(says: NameSays) -> bool {
    let by = says.allocates;
    by.is_some_and(|by| by.dealloc_name().is_some()) || says.is_described
}

/// Does an operation make something of memrefs that is neither a memref nor data, such as a pointer?
fn gives_more_than_data(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut given = results(op).map(|result| semantics.class(type_of(result)));
    given.any(|given| !matches!(given, TypeClass::Memref | TypeClass::Data))
        && operands(op).any(|operand| is_memref(type_of(operand)))
}
