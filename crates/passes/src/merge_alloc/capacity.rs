//! Memory spaces that are too small.

use super::decide::DecideError;
use memplan_lifetimes::Analysis;
use memplan_mlir::{diagnostics, ir::Op, melior::ir::operation::OperationLike, pass::Failed};

/// The most buffers that an error lists.
const MOST_LISTED: usize = 32;

/// Lists what is live at the peak, if that is what is wrong.
pub fn explain(function: Op<'_>, analysis: &Analysis<'_>, error: &DecideError) -> Option<Failed> {
    let DecideError::OverCapacity { peak, .. } = error else {
        return None;
    };
    let mut diagnostic = diagnostics::error(function.location(), error.to_string());
    for (place, size) in peak.iter().take(MOST_LISTED) {
        diagnostic = match analysis.plannable.get(*place) {
            Some(plannable) => diagnostic.note(
                analysis.handles.buffers[plannable.buffer.index()].location(),
                format!("live at the peak: {size} bytes"),
            ),
            None => diagnostic.note(
                function.location(),
                format!("live at the peak: {size} bytes of arenas of calls or parallel bodies"),
            ),
        };
    }
    if peak.len() > MOST_LISTED {
        let (count, bytes) = peak[MOST_LISTED..]
            .iter()
            .fold((0, 0), |(count, bytes), (_, size)| {
                (count + 1, bytes + size)
            });
        diagnostic = diagnostic.note(
            function.location(),
            format!("and {count} more, {bytes} bytes together"),
        );
    }
    diagnostic.emit();
    Some(Failed)
}
