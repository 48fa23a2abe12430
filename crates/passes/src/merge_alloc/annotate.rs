//! `analyse-only`: writes the result as attributes, and changes nothing else.

use super::decide::Plan;
use memplan_lifetimes::Analysis;
use memplan_mlir::build::{set_integer, set_integers, set_text};
use memplan_semantics::attributes::{LIVE, OFFSET, SCOPE, SKIP, SLOT, SLOTS};

/// Annotates each allocation that would be merged with `memplan.scope`, `memplan.live` (start and end of each
/// range) and `memplan.offset`; for a dynamic size, with `memplan.scope` and `memplan.slot`, the number of
/// its slot. Annotates each other one with `memplan.skip`, the id of the reason.
pub fn annotate(analysis: &Analysis<'_>, plan: &Plan) {
    for arena in &plan.arenas {
        let own = arena.slices.iter();
        for slice in own.filter(|slice| plan.guest(analysis, slice).is_none()) {
            let plannable = &analysis.plannable[slice.plannable];
            let op = analysis.handles.buffers[plannable.buffer.index()];
            let live: Vec<i64> = plannable
                .live
                .iter()
                .flat_map(|(first, end)| [i64::from(*first), i64::from(*end)])
                .collect();
            set_integer(op, SCOPE, i64::from(arena.scope.0));
            set_integers(op, LIVE, &live);
            set_integer(op, OFFSET, slice.offset as i64);
            if slice.slots > 1 {
                set_integer(op, SLOTS, slice.slots as i64);
            }
        }
        let slots = arena.dynamic.iter().flat_map(|part| &part.slots);
        for (number, slot) in slots.enumerate() {
            for buffer in &slot.members {
                let op = analysis.handles.buffers[buffer.index()];
                set_integer(op, SCOPE, i64::from(arena.scope.0));
                set_integer(op, SLOT, number as i64);
            }
        }
    }
    for (buffer, reason) in &analysis.skipped {
        set_text(analysis.handles.buffers[buffer.index()], SKIP, reason.id());
    }
}
