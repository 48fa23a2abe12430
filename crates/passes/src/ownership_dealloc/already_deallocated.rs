//! Recognizes functions that have been through deallocation, among those that contain a
//! `bufferization.dealloc`.
//!
//! A deallocated function frees all memory that it allocates, and returns memory that it owns. In any other
//! function, the program frees the operands of these operations, and the rest is freed as in each function.

use super::{
    ownership_summary::{Callees, MARK},
    read::{IrEdge, Reading},
};
use crate::{block_graph::walk, regions::borrowed::is_borrowed_result};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, holds_memref, operands, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, ValueId, ValueKind};
use memplan_semantics::Semantics;
use memplan_summaries::Escaping;

/// Allocations that nothing in a function frees.
pub fn unfreed_memory<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Vec<ValueId> {
    let Some(escaping) = Escaping::of(function, semantics, &callees.capturing_callees()) else {
        return Vec::new();
    };
    // The flag of a call's result says who owns it.
    let is_left = |op: Op<'c>| !op.has_attribute(MARK) && !escaping.has_result_of(op);
    let values = reading.function.values.iter().zip(0..);
    let values = values.filter(|(value, _)| reading.reached[value.segment.index()]);
    let owned =
        values.filter(|(value, _)| matches!(value.kind, ValueKind::Fresh { owned: true, .. }));
    let unfreed = owned.filter(|(value, _)| {
        let defining_op = |step| reading.steps[value.segment.index()][step as usize];
        value.step.map(defining_op).is_some_and(is_left)
    });
    unfreed.map(|(_, number)| ValueId(number)).collect()
}

/// Whether a function returns memory that it never owns, and does not declare the result as borrowed.
pub fn returns_unowned(function: Op<'_>, reading: &Reading<'_>) -> bool {
    let mut ir_edges = reading.ir_edges.iter().enumerate();
    ir_edges.any(|(index, ir_edge)| {
        let IrEdge::Return(op) = ir_edge else {
            return false;
        };
        let edge = reading.function.edge(EdgeId::new(index));
        let places = operands(*op).enumerate();
        let places = places.filter(|(_, value)| holds_memref(type_of(*value)));
        let mut passed = edge.passed.iter().zip(places);
        reading.reached[edge.from.index()]
            && passed.any(|(value, (place, _))| {
                let origins = value.map(|value| reading.origins(value));
                let origins = origins.filter(|origins| !origins.is_empty());
                let is_other = |origin| reading.function.value(origin).kind == ValueKind::Foreign;
                origins.is_some_and(|origins| origins.into_iter().all(is_other))
                    && !is_borrowed_result(function, place)
            })
    })
}

/// The first operation of a function that frees memory under a flag.
pub fn first_conditional_free<'c>(function: Op<'c>, semantics: &mut Semantics) -> Option<Op<'c>> {
    first(function, |op| semantics.table_facts(op).frees_by_flags)
}

/// The first operation of a function that frees memory under a flag, or is a call that returns flags.
pub fn first_conditional_free_or_flag_call<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
) -> Option<Op<'c>> {
    first(function, |op| {
        semantics.table_facts(op).frees_by_flags || op.has_attribute(MARK)
    })
}

fn first<'c>(function: Op<'c>, mut matches: impl FnMut(Op<'c>) -> bool) -> Option<Op<'c>> {
    let mut first = None;
    walk(function_body(function)?, &mut |op| {
        if first.is_none() && matches(op) {
            first = Some(op);
        }
    });
    first
}
