//! Functions that free memory by `bufferization.dealloc` before the pass runs: have they been through deallocation?
//!
//! One that has been frees all that it makes, and returns what it owns. In any other, what these operations name is the program's
//! to free, and the rest is freed as in each function.

use super::{
    ownership_summary::{Callees, MARK},
    read::{IrEdge, Reading},
};
use crate::{block_graph::walk, regions::borrowed::is_lent_by};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, holds_memref, operands, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::{EdgeId, Kind, ValueId};
use memplan_semantics::Semantics;
use memplan_summaries::Escaping;

/// Memory that nothing in a function frees.
pub fn left<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Vec<ValueId> {
    let Some(escaping) = Escaping::of(function, semantics, &callees.keep_nothing()) else {
        return Vec::new();
    };
    // Of what a call gives with a flag, that says whose it is.
    let is_left = |op: Op<'c>| !op.has_attribute(MARK) && !escaping.has_result_of(op);
    let values = reading.function.values.iter().zip(0..);
    let values = values.filter(|(value, _)| reading.reached[value.segment.index()]);
    let owned = values.filter(|(value, _)| matches!(value.kind, Kind::Fresh { owned: true, .. }));
    let left = owned.filter(|(value, _)| {
        let made = |step| reading.steps[value.segment.index()][step as usize];
        value.step.map(made).is_some_and(is_left)
    });
    left.map(|(_, number)| ValueId(number)).collect()
}

/// Does a function return what is somebody else's, whichever way control goes, and does not say so?
pub fn returns_others(function: Op<'_>, reading: &Reading<'_>) -> bool {
    let mut ways = reading.ways.iter().enumerate();
    ways.any(|(index, way)| {
        let IrEdge::Return(op) = way else {
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
                let is_other = |origin| reading.function.value(origin).kind == Kind::Foreign;
                origins.is_some_and(|origins| origins.into_iter().all(is_other))
                    && !is_lent_by(function, place)
            })
    })
}

/// The first operation of a function that frees memory by a flag.
pub fn first_by_flag<'c>(function: Op<'c>, semantics: &mut Semantics) -> Option<Op<'c>> {
    first(function, |op| semantics.table_facts(op).frees_by_flags)
}

/// The first operation of a function that frees memory by a flag, or is a call that returns flags.
pub fn first_by_flag_or_told<'c>(function: Op<'c>, semantics: &mut Semantics) -> Option<Op<'c>> {
    first(function, |op| {
        semantics.table_facts(op).frees_by_flags || op.has_attribute(MARK)
    })
}

fn first<'c>(function: Op<'c>, mut is_it: impl FnMut(Op<'c>) -> bool) -> Option<Op<'c>> {
    let mut first = None;
    walk(function_body(function)?, &mut |op| {
        if first.is_none() && is_it(op) {
            first = Some(op);
        }
    });
    first
}
