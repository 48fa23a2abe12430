//! Parameters that need no flag if what is passed to them is kept until then.
//!
//! A loop may carry memory that it never reads, only because what an iteration leaves is freed in the next one. Memory that
//! is passed to such a parameter first, and is needed by nobody, would be freed where it is used last, and the loop would
//! have to carry a flag that says so. Kept until the loop starts, it is freed like the rest. Nothing may be allocated in
//! between, so that no peak gets higher.

use super::read::Reading;
use memplan_mlir::ir::{Op, next_in_block, regions};
use memplan_ownership::{
    Plan,
    function::{EdgeId, Kind, SegmentId, StepIndex, ValueId},
    plan::{Flag, ProgramPoint},
};
use memplan_semantics::Semantics;

/// Such parameters.
pub fn params(reading: &Reading<'_>, plan: &Plan, semantics: &mut Semantics) -> Vec<ValueId> {
    let flagged = (0..plan.flags.len())
        .map(ValueId::new)
        .filter(|value| plan.flag(*value) == Flag::Dynamic);
    let params: Vec<_> = flagged
        .filter(|value| reading.memory.function.value(*value).kind == Kind::Param)
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
            plan.passed(edge, at) == Flag::Yes || is_kept_easily(reading, plan, edge, at, semantics)
        };
        edges.copied().all(fits).then_some(param)
    });
    params.collect()
}

/// Does an edge pass memory that is freed before it, with no allocation in between?
fn is_kept_easily(
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
        Kind::Fresh {
            owned: true,
            same_as: None
        }
    );
    let mut frees = plan.frees.iter().filter(|free| free.value == passed);
    match (frees.next(), frees.next()) {
        (Some(free), None) if is_new => match free.place {
            ProgramPoint::After(segment, step) => {
                segment == fact.from && is_calm(reading, segment, step, semantics)
            }
            ProgramPoint::End(segment) => segment == fact.from,
            ProgramPoint::Edge(other) => other == edge,
            ProgramPoint::Start(_) => false,
        },
        _ => false,
    }
}

/// Does no operation allocate between a step and the last one of its segment?
fn is_calm(
    reading: &Reading<'_>,
    segment: SegmentId,
    step: StepIndex,
    semantics: &mut Semantics,
) -> bool {
    let values = &reading.memory.function.values;
    let makes = |fact: &memplan_ownership::function::Value| {
        fact.segment == segment
            && fact.step.is_some_and(|made| made > step)
            && matches!(fact.kind, Kind::Fresh { .. } | Kind::Told(_))
    };
    let steps = &reading.steps[segment.index()];
    let (Some(first), Some(last)) = (steps.get(step as usize), steps.last()) else {
        return false;
    };
    let between = std::iter::successors(next_in_block(*first), |op: &Op<'_>| next_in_block(*op));
    let mut between = between.take_while(|op| op != last);
    !values.iter().any(makes)
        && between.all(|op| {
            let info = semantics.info(op);
            info.is_registered() && !info.is_call() && regions(op).next().is_none()
        })
}
