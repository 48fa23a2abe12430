//! Callees without a body whose results are assumed to be new memory.

use super::codes;
use memplan_mlir::{
    build,
    calls::{call_arguments, function_body},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, is_memref, operands, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{attributes, names::Names};
use memplan_summaries::Symbols;
use rustc_hash::FxHashSet;

/// Marks each call whose results are assumed to be new, where an argument might be among them, and emits a remark for each
/// declaration.
pub(super) fn mark_all(calls: &[Op<'_>]) {
    let mut remarked: FxHashSet<Key> = FxHashSet::default();
    let (mut symbols, mut names) = (Symbols::default(), Names::default());
    for call in calls {
        if may_return_argument(*call)
            && let Some(callee) = symbols.callee(*call, &mut names)
            && is_assumed_new(*call, callee)
        {
            if !call.has_attribute(attributes::ASSUMED_OWNED) {
                build::mark(*call, attributes::ASSUMED_OWNED);
            }
            if !remarked.insert(callee.key()) {
                continue;
            }
            let message = "the result is assumed to be new memory, which callers free, and not \
                           an argument: no attribute says so";
            Diagnostic::new(codes::ASSUMED_NEW, callee.location(), message)
                .note(call.location(), "called here")
                .emit();
        }
    }
}

/// Whether a call receives a memref and returns one.
pub(super) fn may_return_argument(call: Op<'_>) -> bool {
    let Some(received) = call_arguments(call) else {
        return false;
    };
    let mut received = operands(call).skip(received.start).take(received.len());
    results(call).any(|result| is_memref(type_of(result)))
        && received.any(|argument| is_memref(type_of(argument)))
}

/// Whether the callee of a call has no body, and no attribute describes a memref that it returns.
fn is_assumed_new(call: Op<'_>, callee: Op<'_>) -> bool {
    let is_described = |at: usize| {
        attributes::is_result_owned(callee, at) || attributes::is_result_borrowed(callee, at)
    };
    let mut returned = results(call).enumerate();
    function_body(callee).is_none()
        && returned.any(|(at, result)| is_memref(type_of(result)) && !is_described(at))
}
