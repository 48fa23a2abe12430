//! Finds the functions that can return ownership flags.

use super::ownership_summary::MARK;
use memplan_mlir::{
    calls::function_body,
    ir::{
        Identity, Op, blocks, holds_memref, is_memref, operands, ops, parent, regions, terminator,
        type_of,
    },
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::{Semantics, attributes};
use memplan_summaries::CallGraph;

/// For each function, whether it can return flags.
pub fn flag_returning_functions(graph: &CallGraph<'_>, semantics: &mut Semantics) -> Vec<bool> {
    let mut can_return: Vec<bool> = graph
        .functions
        .iter()
        .zip(graph.references())
        .map(|(function, taken)| taken.is_none() && can_return_flags(*function, semantics))
        .collect();
    for (caller, calls) in graph.functions.iter().zip(&graph.calls) {
        let is_done = is_already_deallocated(*caller, semantics);
        for call in calls {
            if let Some(callee) = call.target.function()
                && can_return[callee]
                && (is_done || !is_in_function(call.op, *caller, semantics))
            {
                can_return[callee] = false;
            }
        }
    }
    can_return
}

/// Whether an operation belongs to a function, and not to a nested symbol table.
fn is_in_function<'c>(op: Op<'c>, function: Op<'c>, semantics: &mut Semantics) -> bool {
    let mut above = parent(op);
    while let Some(op) = above.filter(|above| above.key() != function.key()) {
        if semantics.info(op).is_symbol_table() {
            return false;
        }
        above = parent(op);
    }
    true
}

/// Whether a function is private, and its signature and returns can be extended. A result that is marked as borrowed has no
/// flag, and then none has.
fn can_return_flags<'c>(function: Op<'c>, semantics: &mut Semantics) -> bool {
    let Some(body) = function_body(function) else {
        return false;
    };
    if !semantics.table_facts(function).is_extendable
        || !symbols::is_private(function)
        || has_borrowed_result(function)
        || is_already_deallocated(function, semantics)
    {
        return false;
    }
    let mut returns = false;
    for end in blocks(body).filter_map(terminator) {
        if end.successor_count() > 0 || semantics.is_never_left(end) {
            continue;
        }
        if !semantics.info(end).is_return() {
            return false;
        }
        for r#type in operands(end).map(type_of) {
            if !is_memref(r#type) && holds_memref(r#type) {
                return false;
            }
            returns |= is_memref(r#type);
        }
    }
    returns
}

/// Whether a function has been through deallocation.
fn is_already_deallocated<'c>(function: Op<'c>, semantics: &mut Semantics) -> bool {
    if function.has_attribute(MARK) {
        return true;
    }
    let mut open = vec![function];
    while let Some(op) = open.pop() {
        for op in regions(op).flat_map(blocks).flat_map(ops) {
            let info = semantics.info(op);
            if semantics.table_facts(op).frees_by_flags
                || (info.is_call() && op.has_attribute(MARK))
            {
                return true;
            }
            if regions(op).next().is_some() && !info.is_function() && !info.is_symbol_table() {
                open.push(op);
            }
        }
    }
    false
}

fn has_borrowed_result(function: Op<'_>) -> bool {
    let results = symbols::function_type(function).map_or(0, |form| form.result_count());
    (0..results).any(|result| attributes::is_result_borrowed(function, result))
}
