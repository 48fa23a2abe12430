//! Callees without a body, of which it is taken that they return new memory.

use super::codes;
use memplan_mlir::{
    calls::{call_arguments, function_body},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, is_memref, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{attributes, names::Names};
use memplan_summaries::Symbols;
use rustc_hash::FxHashSet;

/// Says of each function without a body that is called what is taken of its results, where one of its arguments might be
/// among them.
pub(super) fn tell(calls: &[Op<'_>]) {
    let mut told: FxHashSet<Key> = FxHashSet::default();
    let (mut symbols, mut names) = (Symbols::default(), Names::default());
    for call in calls {
        if may_return_argument(*call)
            && let Some(callee) = symbols.callee(*call, &mut names)
            && is_assumed_new(*call, callee)
            && told.insert(callee.key())
        {
            let message = "the result is assumed to be new memory, which callers free, and not \
                           an argument: no attribute says so";
            Diagnostic::new(codes::ASSUMED_NEW, callee.location(), message)
                .note(call.location(), "called here")
                .emit();
        }
    }
}

/// Does a call return a memref, and receive one?
pub(super) fn may_return_argument(call: Op<'_>) -> bool {
    let Some(given) = call_arguments(call) else {
        return false;
    };
    let mut given = operands(call).skip(given.start).take(given.len());
    results(call).any(|result| is_memref(type_of(result)))
        && given.any(|argument| is_memref(type_of(argument)))
}

/// Has what a call calls no body, and says nothing of a memref that it returns?
fn is_assumed_new(call: Op<'_>, callee: Op<'_>) -> bool {
    let is_said = |at: usize| {
        attributes::is_result_owned(callee, at) || attributes::is_result_borrowed(callee, at)
    };
    let mut returned = results(call).enumerate();
    function_body(callee).is_none()
        && returned.any(|(at, result)| is_memref(type_of(result)) && !is_said(at))
}
