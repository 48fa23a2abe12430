//! Summaries of callees: the arguments that they free or capture, the allocators of the memory that they
//! return, and the addresses that they return as numbers.

use super::{
    assumed_new::may_return_argument,
    flag_returning,
    ownership_summary::MARK,
    ownership_transfer::{self, OwnedArguments},
    read::describe,
    returned_arguments::ReturnConventions,
};
use crate::block_graph::walk;
use memplan_mlir::{
    calls::function_body,
    ir::{
        Identity, Op, blocks, is_memref, nested_memrefs, operands, ops, parent, regions, results,
        type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Allocator, Readings, Semantics, TableFacts, TypeClass, attributes};
use memplan_summaries::{
    CallGraph, Callee, Callees, Contract, FunctionSummary, Question, Questions, SpilledDescriptors,
    Summaries, summary_of,
};
use rustc_hash::FxHashSet;

/// The summary of a function without knowledge of its callees. `None` if it has no effect that callers have
/// to know of.
pub fn summarize_alone(function: Op<'_>, semantics: &mut Semantics) -> Option<FunctionSummary> {
    let body = function_body(function)?;
    let mut is_relevant = false;
    let mut words = SpilledDescriptors::default();
    walk(body, &mut |op| {
        is_relevant |= concerns_callers(op, semantics) || words.give_address(op, semantics);
    });
    is_relevant.then(|| summary_of(function, body, semantics, &UnknownCallees, question(true)))
}

/// Callees of which nothing is known.
struct UnknownCallees;

impl Callees for UnknownCallees {
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

/// The private functions that return ownership flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FlagReturns {
    /// All that can.
    All,
    /// Those that would otherwise copy arguments.
    Needed,
}

/// Summarizes the functions at or below a module; `calls` are the calls in `all` of them. Also returns for
/// each function whether it shall return flags; the list is empty if none does. Functions that return nothing
/// but arguments are marked. Nothing else may change the module meanwhile.
pub fn summarize<'c>(
    root: Op<'c>,
    all: &[Op<'c>],
    calls: &[Op<'c>],
    flag_returns: FlagReturns,
    readings: &Readings,
) -> (Summaries, Vec<bool>) {
    let mut semantics = Semantics::default();
    let no_flags = Vec::new();
    if calls.is_empty() && flag_returns == FlagReturns::Needed {
        return (Summaries::default(), no_flags);
    }
    if semantics.info(root).is_function() {
        return (Summaries::of_marks(calls, semantics.names()), no_flags);
    }
    let mut scan = ModuleScan::of(all, &mut semantics);
    if scan.frees {
        let find = |taken_over: &OwnedArguments| {
            let none = vec![false; all.len()];
            scan.summaries(root, all, &none, taken_over, readings)
        };
        let graph = CallGraph::of(root, all.to_vec());
        scan.taken_over = ownership_transfer::find(&graph, find, readings);
    }
    let candidates = |semantics: &mut Semantics| {
        flag_returning::flag_returning_functions(&CallGraph::of(root, all.to_vec()), semantics)
    };
    let find =
        |with_flags: &[bool]| scan.summaries(root, all, with_flags, &scan.taken_over, readings);
    if flag_returns == FlagReturns::All {
        let with_flags = candidates(&mut semantics);
        return (find(&with_flags), with_flags);
    }
    let returning = match calls.iter().any(|call| may_return_argument(*call)) {
        true => ReturnConventions::of(all, candidates(&mut semantics), find),
        false => None,
    };
    if let Some(returning) = returning {
        returning.mark(all, readings);
        return (find(&returning.with_flags), returning.with_flags);
    }
    if !scan.matters.contains(&true) && !has_borrowed_declarations(all, &mut semantics) {
        return (Summaries::default(), no_flags);
    }
    (find(&vec![false; all.len()]), no_flags)
}

/// Facts from a scan of all operations in a module.
struct ModuleScan {
    /// For each function, whether it has effects that callers have to know of.
    matters: Vec<bool>,
    /// Some values are addresses as numbers.
    numbers: bool,
    /// Some memory is not freed by `memref.dealloc`.
    has_other_allocators: bool,
    /// Some operation frees memory.
    frees: bool,
    /// The arguments that functions become the owners of.
    taken_over: OwnedArguments,
}

impl ModuleScan {
    fn of(all: &[Op<'_>], semantics: &mut Semantics) -> Self {
        let (mut numbers, mut has_other_allocators, mut frees) = (false, false, false);
        let mut words = SpilledDescriptors::default();
        let mut matters: Vec<bool> = Vec::with_capacity(all.len());
        for function in all {
            let mut is_relevant = attributes::may_describe_results(*function);
            if let Some(body) = function_body(*function) {
                walk(body, &mut |op| {
                    is_relevant |= concerns_callers(op, semantics);
                    numbers |= words.give_address(op, semantics) || derives_pointers(op, semantics);
                    let says = semantics.table_facts(op);
                    has_other_allocators |= uses_other_allocator(says);
                    frees |= says.frees;
                });
            }
            matters.push(is_relevant);
        }
        Self {
            matters,
            numbers,
            has_other_allocators,
            frees,
            taken_over: OwnedArguments::new(),
        }
    }

    /// The summaries of all functions, if those of `with_flags` return flags.
    fn summaries<'c>(
        &self,
        root: Op<'c>,
        all: &[Op<'c>],
        with_flags: &[bool],
        taken_over: &OwnedArguments,
        readings: &Readings,
    ) -> Summaries {
        let mut with_flags = with_flags.to_vec();
        let mut matters = self.matters.clone();
        for (at, function) in all.iter().enumerate() {
            // The marks of an earlier run still say whose memory a function returns.
            with_flags[at] |= function.has_attribute(MARK);
            matters[at] |=
                with_flags[at] || self.numbers || attributes::may_describe_results(*function);
        }
        let questions = Questions {
            question: question(self.numbers),
            declared_capture: false,
            freed_by: (!self.has_other_allocators).then_some(Allocator::Memref),
            with_flags,
            taken_over: taken_over.clone(),
            matters,
        };
        Summaries::of(&mut CallGraph::of(root, all.to_vec()), &questions, readings)
    }
}

/// Whether a declaration beside these functions describes its results.
fn has_borrowed_declarations(all: &[Op<'_>], semantics: &mut Semantics) -> bool {
    let mut seen = FxHashSet::default();
    let mut tables = all.iter().filter_map(|function| parent(*function));
    tables.any(|table| {
        seen.insert(table.key())
            && regions(table).flat_map(blocks).flat_map(ops).any(|op| {
                semantics.info(op).is_function()
                    && function_body(op).is_none()
                    && attributes::may_describe_results(op)
            })
    })
}

/// The calls in these functions. Unknown operations are included, since they may call anything.
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

/// Whether an operation may have an effect that callers have to know of.
fn concerns_callers(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let says = semantics.table_facts(op);
    says.frees
        || says.frees_by_flags
        || says.returns_addresses
        || says.may_outlive
        || says.is_described
        || says.models_deallocation
        || uses_other_allocator(says)
        || operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
        || (says.may_store_by_symbol && operands(op).any(|one| is_memref(type_of(one))))
        || derives_pointers(op, semantics)
}

/// Whether an operation may allocate memory that `memref.dealloc` does not free.
fn uses_other_allocator(says: TableFacts) -> bool {
    let by = says.allocates;
    by.is_some_and(|by| by.dealloc_name().is_some()) || says.is_described
}

/// Whether an operation derives a value from memrefs that is neither a memref nor data, such as a pointer.
fn derives_pointers(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut given = results(op).map(|result| semantics.class(type_of(result)));
    given.any(|given| !matches!(given, TypeClass::Memref | TypeClass::Data))
        && operands(op).any(|operand| is_memref(type_of(operand)))
}
