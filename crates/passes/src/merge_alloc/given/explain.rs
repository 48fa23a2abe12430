//! Errors of given plans.

use super::OFFSET;
use crate::merge_alloc::{
    codes,
    decide_error::DecideError,
    excluded::{Excluded, ExcludedAddresses},
    nested_arenas::NestedArenaKind,
};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Op, results, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
};
use memplan_planner::{PlanError, ProblemError};

/// Reports that two allocations with fixed offsets overlap, or that a nested arena does not fit.
pub fn explain(
    function: Op<'_>,
    analysis: &Analysis<'_>,
    error: &DecideError,
    excluded: &ExcludedAddresses,
) -> Option<Failed> {
    match error {
        DecideError::Problem(ProblemError::FixedOverlap { first, second }) => {
            let op = |id: &u64| {
                let index = usize::try_from(*id).ok()?;
                analysis.handles.buffers.get(index).copied()
            };
            let (first, second) = (op(first), op(second));
            let at = second.or(first).unwrap_or(function);
            let source = match at.has_attribute(OFFSET) {
                true => format!("`{OFFSET}`"),
                false => "the plan".to_string(),
            };
            let error = Diagnostic::new(
                codes::OFFSETS_OVERLAP,
                at.location(),
                format!(
                    "{source} makes it overlap another allocation that is live at the same time"
                ),
            );
            match first.filter(|_| second.is_some()) {
                Some(first) => error.note(first.location(), "the other one"),
                None => error.note(function.location(), "a nested arena of the function"),
            }
            .emit();
        }
        DecideError::Problem(ProblemError::FixedForbidden { id, offset, .. })
        | DecideError::Plan(PlanError::Problem(ProblemError::FixedForbidden {
            id, offset, ..
        })) => {
            let index = usize::try_from(*id).ok();
            let buffer = index.and_then(|index| analysis.handles.buffers.get(index));
            let at = buffer.copied().unwrap_or(function);
            let space = match results(at).next() {
                Some(result) => memory_space(type_of(result)),
                None => String::new(),
            };
            let size = index.and_then(|index| analysis.program.buffers.get(index));
            let last = offset.saturating_add(size.map_or(0, |fact| fact.size.saturating_sub(1)));
            let mut ranges = excluded.get(&space).into_iter().flatten();
            let range = ranges.find(|range| range.start <= last && *offset < range.end);
            let text = match range {
                Some(Excluded { start, end, state }) if !state.is_empty() => {
                    format!("its offset is given, but @{state} has addresses {start} to {end}")
                }
                Some(Excluded { start, end, .. }) => {
                    format!("its offset is given, but `forbid` excludes addresses {start} to {end}")
                }
                None => "its offset is given, but addresses there are excluded".to_string(),
            };
            Diagnostic::new(codes::RESERVED, at.location(), text).emit();
        }
        DecideError::Nested {
            what,
            scope,
            size,
            misfit,
        } => {
            let (op, arena) = match what {
                NestedArenaKind::Callee { call, .. } => {
                    (analysis.handles.calls[*call], "the arena of the callee")
                }
                NestedArenaKind::Bodies { .. } => (
                    analysis.handles.scopes[scope.index()].0,
                    "the arenas of the iterations",
                ),
            };
            let given = match misfit.given {
                Some(given) => format!("in the plan they are {given}"),
                None => "the plan has none".to_string(),
            };
            let why = format!("{arena} are {size} bytes; {given}");
            Diagnostic::new(codes::MISFIT, op.location(), why).emit();
        }
        _ => return None,
    }
    Some(Failed)
}
