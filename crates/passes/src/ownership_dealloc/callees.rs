//! What is asked of called functions: which arguments they free or capture, how the memory that they return is freed, and
//! which addresses they return as numbers.

use super::{
    declared::may_return_argument,
    flag_returning,
    ownership_summary::MARK,
    ownership_transfer::{self, TakenOver},
    read::describe,
    returned_arguments::Returning,
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

/// A function by itself: nothing is known of what it calls. `None` where it does nothing that a caller has to know of.
pub fn alone(function: Op<'_>, semantics: &mut Semantics) -> Option<FunctionSummary> {
    let body = function_body(function)?;
    let mut tells = false;
    let mut words = SpilledDescriptors::default();
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

/// Which private functions return flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// All that can.
    All,
    /// Those that would copy arguments otherwise.
    Needed,
}

/// Of all calls at or below a module, which are `calls` in `all` of its functions; and for each function whether it is to return
/// flags, which is said of none where no function does. Nobody else may change the module meanwhile. Functions that return
/// nothing but arguments are marked.
pub fn of_run<'c>(
    root: Op<'c>,
    all: &[Op<'c>],
    calls: &[Op<'c>],
    telling: Telling,
    readings: &Readings,
) -> (Summaries, Vec<bool>) {
    let mut semantics = Semantics::default();
    let nobody = Vec::new();
    if calls.is_empty() && telling == Telling::Needed {
        return (Summaries::default(), nobody);
    }
    if semantics.info(root).is_function() {
        return (Summaries::of_marks(calls, semantics.names()), nobody);
    }
    let mut scan = Scan::of(all, &mut semantics);
    if scan.frees {
        let find = |taken_over: &TakenOver| {
            let none = vec![false; all.len()];
            scan.summaries(root, all, &none, taken_over, readings)
        };
        let graph = CallGraph::of(root, all.to_vec());
        scan.taken_over = ownership_transfer::find(&graph, find, readings);
    }
    let can_tell = |semantics: &mut Semantics| {
        flag_returning::telling(&CallGraph::of(root, all.to_vec()), semantics)
    };
    let find =
        |with_flags: &[bool]| scan.summaries(root, all, with_flags, &scan.taken_over, readings);
    if telling == Telling::All {
        let with_flags = can_tell(&mut semantics);
        return (find(&with_flags), with_flags);
    }
    let returning = match calls.iter().any(|call| may_return_argument(*call)) {
        true => Returning::of(all, can_tell(&mut semantics), find),
        false => None,
    };
    if let Some(returning) = returning {
        returning.mark(all, readings);
        return (find(&returning.with_flags), returning.with_flags);
    }
    if !scan.matters.contains(&true) && !has_borrowed_declarations(all, &mut semantics) {
        return (Summaries::default(), nobody);
    }
    (find(&vec![false; all.len()]), nobody)
}

/// What the operations of all functions show.
struct Scan {
    /// For each function, whether it does what callers have to know of.
    matters: Vec<bool>,
    /// Addresses are there as numbers.
    numbers: bool,
    /// Memory of other allocators is there.
    has_others: bool,
    /// Some operation frees memory.
    frees: bool,
    /// The arguments that functions become the owners of.
    taken_over: TakenOver,
}

impl Scan {
    fn of(all: &[Op<'_>], semantics: &mut Semantics) -> Self {
        let (mut numbers, mut has_others, mut frees) = (false, false, false);
        let mut words = SpilledDescriptors::default();
        let mut matters: Vec<bool> = Vec::with_capacity(all.len());
        for function in all {
            let mut tells = attributes::may_describe_results(*function);
            if let Some(body) = function_body(*function) {
                walk(body, &mut |op| {
                    tells |= is_telling(op, semantics);
                    numbers |=
                        words.give_address(op, semantics) || gives_more_than_data(op, semantics);
                    let says = semantics.table_facts(op);
                    has_others |= allocates_otherwise(says);
                    frees |= says.frees;
                });
            }
            matters.push(tells);
        }
        Self {
            matters,
            numbers,
            has_others,
            frees,
            taken_over: TakenOver::new(),
        }
    }

    /// Of all functions, of which these return flags.
    fn summaries<'c>(
        &self,
        root: Op<'c>,
        all: &[Op<'c>],
        with_flags: &[bool],
        taken_over: &TakenOver,
        readings: &Readings,
    ) -> Summaries {
        let mut with_flags = with_flags.to_vec();
        let mut matters = self.matters.clone();
        for (at, function) in all.iter().enumerate() {
            // What an earlier run changed says still whose memory it returns.
            with_flags[at] |= function.has_attribute(MARK);
            matters[at] |=
                with_flags[at] || self.numbers || attributes::may_describe_results(*function);
        }
        let questions = Questions {
            question: question(self.numbers),
            declared_capture: false,
            freed_by: (!self.has_others).then_some(Allocator::Memref),
            with_flags,
            taken_over: taken_over.clone(),
            matters,
        };
        Summaries::of(&mut CallGraph::of(root, all.to_vec()), &questions, readings)
    }
}

/// Does a function without a body, beside one of these, say anything of its results?
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
    let says = semantics.table_facts(op);
    says.frees
        || says.frees_by_flags
        || says.returns_addresses
        || says.may_outlive
        || says.is_described
        || says.models_deallocation
        || allocates_otherwise(says)
        || operands(op).any(|operand| nested_memrefs(type_of(operand)) > 0)
        || (says.may_store_by_symbol && operands(op).any(|one| is_memref(type_of(one))))
        || gives_more_than_data(op, semantics)
}

/// May an operation allocate memory that is not freed by `memref.dealloc`?
fn allocates_otherwise(says: TableFacts) -> bool {
    let by = says.allocates;
    by.is_some_and(|by| by.dealloc_name().is_some()) || says.is_described
}

/// Does an operation make something of memrefs that is neither a memref nor data, such as a pointer?
fn gives_more_than_data(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let mut given = results(op).map(|result| semantics.class(type_of(result)));
    given.any(|given| !matches!(given, TypeClass::Memref | TypeClass::Data))
        && operands(op).any(|operand| is_memref(type_of(operand)))
}
