//! Diagnostics for memory spaces whose capacity is exceeded.

use super::{decide_error::DecideError, settings::Settings, unplanned_memory};
use crate::memory_spaces::{names::short_space, uses};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    diagnostics::Diagnostic, ir::Op, melior::ir::operation::OperationLike, pass::Failed,
};

/// Largest number of buffers that an error lists.
const MOST_LISTED: usize = 32;

/// If the capacity is exceeded, lists the buffers that are live at the peak, and if they may move, the operations that keep them there.
pub fn explain(
    function: Op<'_>,
    analysis: &Analysis<'_>,
    error: &DecideError,
    settings: &Settings,
) -> Option<Failed> {
    let spill = &settings.spill;
    let over_limit = match error {
        DecideError::OverLimit { slice, .. } => *slice,
        DecideError::EndsAboveLimit { slice, .. } => Some(*slice),
        _ => None,
    };
    if let Some(plannable) = over_limit.and_then(|slice| analysis.plannable.get(slice)) {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        Diagnostic::new(error.code(), op.location(), error).emit();
        return Some(Failed);
    }
    let DecideError::OverCapacity {
        peak, memory_space, ..
    } = error
    else {
        return None;
    };
    let from = short_space(memory_space);
    let may_move = spill.iter().any(|(space, _)| space == from);
    let mut diagnostic = Diagnostic::new(error.code(), function.location(), error);
    for (place, size) in peak.iter().take(MOST_LISTED) {
        diagnostic = match analysis.plannable.get(*place) {
            Some(plannable) => {
                let op = analysis.handles.buffers[plannable.buffer.index()];
                let listed =
                    diagnostic.note(op.location(), format!("live at the peak: {size} bytes"));
                match uses::refuser(op).filter(|_| may_move) {
                    Some(user) => {
                        let name = user.name();
                        let name = name.as_string_ref();
                        let name = name.as_str().unwrap_or("an operation");
                        listed.note(
                            user.location(),
                            format!("it cannot be moved: '{name}' requires its memory space"),
                        )
                    }
                    None => listed,
                }
            }
            None => diagnostic.note(
                function.location(),
                format!("live at the peak: {size} bytes of arenas of callees or parallel bodies"),
            ),
        };
    }
    let beside = unplanned_memory::listed(analysis, memory_space);
    for (op, bytes) in beside.iter().take(MOST_LISTED) {
        diagnostic = diagnostic.note(op.location(), format!("in no arena: {bytes} bytes"));
    }
    let described = settings.machine.as_ref();
    if let Some(note) = described.and_then(|machine| machine.note(memory_space)) {
        diagnostic = diagnostic.note(function.location(), note);
    }
    if peak.len() > MOST_LISTED {
        let (count, bytes) = peak[MOST_LISTED..]
            .iter()
            .fold((0, 0), |(count, bytes), (_, size)| {
                (count + 1, bytes + size)
            });
        diagnostic = diagnostic.note(
            function.location(),
            format!("and {count} more, {bytes} bytes in total"),
        );
    }
    diagnostic.emit();
    Some(Failed)
}
