//! Callees without a body, of which it is taken that they return new memory.

use super::codes;
use memplan_mlir::{
    calls::{call_arguments, callee, function_body},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, is_memref, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes;
use rustc_hash::FxHashSet;

/// Says of each function without a body that is called what is taken of its results, where one of its arguments might be
/// among them.
pub(super) fn tell(calls: &[Op<'_>]) {
    let mut told: FxHashSet<Key> = FxHashSet::default();
    for call in calls {
        if let Some(callee) = assumed_new(*call)
            && told.insert(callee.key())
        {
            let message = "it is taken that what it returns is new memory, which callers free, and none of its \
                           arguments: nothing says so";
            Diagnostic::new(codes::ASSUMED_NEW, callee.location(), message)
                .note(call.location(), "called here")
                .emit();
        }
    }
}

/// The function without a body that a call calls, if it might return what it is given.
fn assumed_new<'c>(call: Op<'c>) -> Option<Op<'c>> {
    let given = call_arguments(call)?;
    let mut given = operands(call).skip(given.start).take(given.len());
    let returned: Vec<usize> = results(call)
        .enumerate()
        .filter_map(|(at, result)| is_memref(type_of(result)).then_some(at))
        .collect();
    if returned.is_empty() || !given.any(|argument| is_memref(type_of(argument))) {
        return None;
    }
    let callee = callee(call).filter(|callee| function_body(*callee).is_none())?;
    let is_said = |at: &usize| {
        attributes::is_result_owned(callee, *at) || attributes::is_result_borrowed(callee, *at)
    };
    (!returned.iter().all(is_said)).then_some(callee)
}
