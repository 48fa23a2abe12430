//! Results that stay somebody else's: nobody has to free them.
//!
//! A function says so of each such result, which takes that along wherever it goes. A call cannot, as what other passes take
//! of its results they do not take of what it says of them; it says of all memrefs that it gave when it was written whether they
//! are lent. Where some of them are gone, that is still known if they were all the same.

use memplan_mlir::{
    build,
    ir::{Op, holds_memref, results, type_of},
    symbols,
};
use memplan_semantics::attributes::{self, BORROWED, BORROWED_RESULTS};

/// Is a result of a function lent?
pub fn is_borrowed_result(function: Op<'_>, result: usize) -> bool {
    attributes::is_result_borrowed(function, result)
}

/// A function lends results. False where it has no such results.
pub fn mark_borrowed(function: Op<'_>, lent: &[usize]) -> bool {
    lent.iter()
        .all(|result| symbols::mark_result(function, *result, BORROWED))
}

/// A call gets these results lent.
pub fn borrow(call: Op<'_>, lent: &[usize]) {
    let said: Vec<i64> = memrefs(call)
        .into_iter()
        .map(|at| lent.contains(&at).into())
        .collect();
    build::set_integers(call, BORROWED_RESULTS, &said);
}

fn memrefs(call: Op<'_>) -> Vec<usize> {
    let all = results(call).enumerate();
    all.filter(|(_, result)| holds_memref(type_of(*result)))
        .map(|(at, _)| at)
        .collect()
}
