//! Memory in contiguous banks of which it is not known in which bank it lies.

use super::BankLayouts;
use crate::memory_spaces::names::space_name;
use crate::merge_alloc::{codes, plan::Plan};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Op, results, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
};
use memplan_planner::BankLayout;

/// Largest number of allocations that a warning lists.
const MOST_LISTED: usize = 32;

/// Warns of allocations that no plan keeps within one bank: those that are left alone, and those in arenas of parallel
/// bodies.
pub fn warn<'c>(function: Op<'c>, analysis: &Analysis<'c>, plan: &Plan, layouts: &BankLayouts) {
    let space_of = |op: Op<'c>| results(op).next().map(|it| memory_space(type_of(it)));
    for (space, layout) in layouts.all() {
        // In interleaved banks, buffers may be anywhere.
        if matches!(layout, BankLayout::Interleaved { .. }) {
            continue;
        }
        let is_there = |printed: &str| {
            layouts.get(printed) == Some(layout) && space_name(printed) == space_name(space)
        };
        let skipped = analysis.skipped.iter().map(|(buffer, reason)| {
            let op = analysis.handles.buffers[buffer.index()];
            (
                op,
                format!("in no arena: {} [{}]", reason.text(), reason.id()),
            )
        });
        let skipped = skipped.filter(|(op, _)| space_of(*op).is_some_and(|own| is_there(&own)));
        let bodies = plan.arenas.iter().filter(|arena| {
            arena.scope.index() > 0 && arena.hoisted.is_none() && is_there(&arena.memory_space)
        });
        let bodies = bodies.map(|arena| {
            let (body, _) = analysis.handles.scopes[arena.scope.index()];
            (body, "each iteration has an arena of its own".to_owned())
        });
        let all: Vec<(Op<'c>, String)> = skipped.chain(bodies).collect();
        if all.is_empty() {
            continue;
        }
        let text = format!(
            "memory space {} has banks, and some of its memory may lie across them",
            space_name(space)
        );
        let warning = Diagnostic::new(codes::UNKNOWN_BANK, function.location(), text);
        let listed = all.into_iter().take(MOST_LISTED);
        listed
            .fold(warning, |warning, (op, why)| {
                warning.note(op.location(), why)
            })
            .emit();
    }
}
