//! Finds parameters that need no flag if the memory that they receive is freed later.
//!
//! A loop may carry memory that it never reads, only because the memory of one iteration is freed in the next
//! one. An initial buffer that is dead would be freed after its last use, before the loop, and the loop would
//! have to carry a flag that says so. If the buffer is kept until the loop starts, it is freed like the
//! others. Nothing may be allocated in between, so that the peak does not rise.

use super::read::Reading;
use memplan_mlir::ir::{Op, next_in_block, regions};
use memplan_ownership::{
    Plan,
    function::{EdgeId, SegmentId, StepIndex, ValueId, ValueKind},
    plan::{Ownership, ProgramPoint},
};
use memplan_semantics::Semantics;

/// The parameters that can do without a flag.
pub fn flagless_params(
    reading: &Reading<'_>,
    plan: &Plan,
    semantics: &mut Semantics,
) -> Vec<ValueId> {
    let flagged = (0..plan.ownership.len())
        .map(ValueId::new)
        .filter(|value| plan.ownership_of(*value) == Ownership::Dynamic);
    let params: Vec<_> = flagged
        .filter(|value| reading.memory.function.value(*value).kind == ValueKind::Param)
        .collect();
    if params.is_empty() {
        return Vec::new();
    }
    let incoming = reading.memory.function.incoming();
    let params = params.into_iter().filter_map(|param| {
        let segment = reading.memory.function.value(param).segment;
        let at = reading.memory.function.segment(segment).params.iter();
        let at = at.copied().position(|other| other == param)?;
        let edges = incoming[segment.index()].iter();
        let fits = |edge: EdgeId| {
            plan.ownership_passed_by(edge, at) == Ownership::Always
                || can_be_freed_later(reading, plan, edge, at, semantics)
        };
        edges.copied().all(fits).then_some(param)
    });
    params.collect()
}

/// Whether an edge passes memory that is freed before it, with no allocation in between.
fn can_be_freed_later(
    reading: &Reading<'_>,
    plan: &Plan,
    edge: EdgeId,
    at: usize,
    semantics: &mut Semantics,
) -> bool {
    let fact = reading.memory.function.edge(edge);
    let Some(passed) = fact.passed[at] else {
        return false;
    };
    let is_new = matches!(
        reading.memory.function.value(passed).kind,
        ValueKind::Fresh {
            owned: true,
            may_alias: None
        }
    );
    let mut frees = plan.frees.iter().filter(|free| free.value == passed);
    match (frees.next(), frees.next()) {
        (Some(free), None) if is_new => match free.place {
            ProgramPoint::After(segment, step) => {
                segment == fact.from && allocates_nothing_after(reading, segment, step, semantics)
            }
            ProgramPoint::End(segment) => segment == fact.from,
            ProgramPoint::Edge(other) => other == edge,
            ProgramPoint::Start(_) => false,
        },
        _ => false,
    }
}

/// Whether no operation allocates memory between a step and the last one of its segment.
fn allocates_nothing_after(
    reading: &Reading<'_>,
    segment: SegmentId,
    step: StepIndex,
    semantics: &mut Semantics,
) -> bool {
    let values = &reading.memory.function.values;
    let allocates = |fact: &memplan_ownership::function::Value| {
        fact.segment == segment
            && fact.step.is_some_and(|definition| definition > step)
            && matches!(
                fact.kind,
                ValueKind::Fresh { .. } | ValueKind::FreshOrAnyOf(_)
            )
    };
    let steps = &reading.steps[segment.index()];
    let (Some(first), Some(last)) = (steps.get(step as usize), steps.last()) else {
        return false;
    };
    let between = std::iter::successors(next_in_block(*first), |op: &Op<'_>| next_in_block(*op));
    let mut between = between.take_while(|op| op != last);
    !values.iter().any(allocates)
        && between.all(|op| {
            let info = semantics.info(op);
            info.is_registered() && !info.is_call() && regions(op).next().is_none()
        })
}
