//! Marks of borrowed results, which nobody has to free.
//!
//! A function marks each borrowed result with an attribute of that result, which stays with the result. A
//! call has no attributes of results, and other passes may remove results of a call without updating its
//! attributes. So the attribute of a call has one entry for each memref result that the call had when it was
//! written. If some results are gone, the entries are still valid if all were equal.

use memplan_mlir::{
    build,
    ir::{Op, holds_memref, results, type_of},
    symbols,
};
use memplan_semantics::attributes::{self, BORROWED, BORROWED_RESULTS};

/// Whether a result of a function is borrowed.
pub fn is_borrowed_result(function: Op<'_>, result: usize) -> bool {
    attributes::is_result_borrowed(function, result)
}

/// Marks these results of a function as borrowed. Returns false if the function has no such results.
pub fn mark_borrowed_results(function: Op<'_>, borrowed: &[usize]) -> bool {
    borrowed
        .iter()
        .all(|result| symbols::mark_result(function, *result, BORROWED))
}

/// Marks these results of a call as borrowed, and the others as not borrowed.
pub fn mark_borrowed_call_results(call: Op<'_>, borrowed: &[usize]) {
    let entries: Vec<i64> = memrefs(call)
        .into_iter()
        .map(|at| borrowed.contains(&at).into())
        .collect();
    build::set_integers(call, BORROWED_RESULTS, &entries);
}

fn memrefs(call: Op<'_>) -> Vec<usize> {
    let all = results(call).enumerate();
    all.filter(|(_, result)| holds_memref(type_of(*result)))
        .map(|(at, _)| at)
        .collect()
}
