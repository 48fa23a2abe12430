//! Offsets that the program fixes.

use super::{codes, decide::DecideError};
use crate::failure::fail;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    build, diagnostics::Diagnostic, melior::ir::operation::OperationLike, pass::Failed,
};
use memplan_planner::ProblemError;
use rustc_hash::FxHashMap;

pub use memplan_semantics::attributes::OFFSET;

/// Fixed offsets of the allocations of a function. Errors are reported at the allocation.
pub fn read(
    analysis: &Analysis<'_>,
    least_alignment: u64,
) -> Result<FxHashMap<usize, u64>, Failed> {
    let mut pins = FxHashMap::default();
    let mut result = Ok(());
    for (place, plannable) in analysis.plannable.iter().enumerate() {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        if !op.has_attribute(OFFSET) {
            continue;
        }
        if analysis.program.buffers[plannable.buffer.index()]
            .dynamic
            .is_some()
        {
            let why = format!("`{OFFSET}` fixes an allocation of dynamic size");
            result = Err(fail(op, codes::OFFSET_UNUSED, why));
            continue;
        }
        let alignment = plannable.alignment.max(least_alignment);
        match build::integer(op, OFFSET).map(u64::try_from) {
            None => {
                let why = format!("`{OFFSET}` is not an integer");
                result = Err(fail(op, codes::OFFSET, why));
            }
            Some(Err(_)) => {
                let why = format!("`{OFFSET}` is negative");
                result = Err(fail(op, codes::OFFSET, why));
            }
            Some(Ok(offset)) if offset % alignment != 0 => {
                let why = format!(
                    "`{OFFSET}` is {offset}, which is not a multiple of the slice's alignment \
                     of {alignment} bytes"
                );
                result = Err(fail(op, codes::OFFSET, why));
            }
            Some(Ok(offset)) => {
                pins.insert(place, offset);
            }
        }
    }
    for (buffer, reason) in &analysis.skipped {
        let op = analysis.handles.buffers[buffer.index()];
        if op.has_attribute(OFFSET) {
            let why = format!(
                "`{OFFSET}` fixes an allocation that is not merged: {} [{}]",
                reason.text(),
                reason.id()
            );
            result = Err(fail(op, codes::OFFSET_UNUSED, why));
        }
    }
    result.map(|()| pins)
}

/// If two allocations with fixed offsets overlap, reports them.
pub fn explain(analysis: &Analysis<'_>, error: &DecideError) -> Option<Failed> {
    let DecideError::Problem(ProblemError::FixedOverlap { first, second }) = error else {
        return None;
    };
    let op = |id: &u64| {
        let index = usize::try_from(*id).ok()?;
        analysis.handles.buffers.get(index).copied()
    };
    let (first, second) = (op(first)?, op(second)?);
    Diagnostic::new(
        codes::OFFSETS_OVERLAP,
        second.location(),
        format!("`{OFFSET}` makes it overlap another allocation that is live at the same time"),
    )
    .note(first.location(), "the other one")
    .emit();
    Some(Failed)
}
