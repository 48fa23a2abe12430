//! Places the allocations of a function that keeps its loops and branches on one stack.

use super::{
    super::{planned_memory::PlannedMemory, settings::StackPlacement, stack::Stack},
    Reading,
};
use crate::erased_ops;
use memplan_bounded::paths::StackLayout;
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    build::{self, BuildError, Builder},
    ir::{Op, erase, next_in_block, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{ENDED, PINNED};
use rustc_hash::FxHashSet;

/// Places the allocations of a function on one stack.
pub fn write<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    walked: &StackLayout,
    unit: u64,
    placement: StackPlacement,
) -> Result<(), BuildError> {
    let Some(offsets) = &walked.offsets else {
        return Ok(());
    };
    // Allocations that no path executes have no offset, and stay.
    let placed = reading
        .memory
        .analysis
        .plannable
        .iter()
        .zip(&reading.allocation_vars);
    let allocations = placed.filter_map(|(plannable, name)| {
        let op = reading.memory.analysis.handles.buffers[plannable.buffer.index()];
        Some((
            op,
            results(op).next(),
            plannable.buffer,
            *offsets.get(name)?,
        ))
    });
    let allocations: Vec<_> = allocations.collect();
    let memory = &reading.memory;
    let addressed: FxHashSet<BufferId> = memory.address_taken.buffers().collect();
    let Some((_, Some(first), ..)) = allocations.first() else {
        return Ok(());
    };
    let like = type_of(*first);
    let mut stack = Stack::create(function, reading.entry, like, walked.peak, unit, placement)?;
    for (op, result, buffer, offset) in &allocations {
        let (Some(result), Some(builder)) = (*result, Builder::before(*op, op.location())) else {
            return Err(BuildError::unexpected());
        };
        let (view, op) = stack.view(*offset, type_of(result), buffer.0, &builder)?;
        if addressed.contains(buffer) {
            build::mark(op, PINNED);
        }
        replace_all_uses(result, view);
    }
    // Erased only now: constants are built before the first operation of the function, which may be one of
    // these.
    for (op, ..) in allocations {
        erase(op);
    }
    annotate_ended(memory);
    erased_ops::erase_all(&memory.analysis);
    stack.free(&memory.analysis)
}

/// Annotates operations with the buffers that have ended before them, whose address was taken.
fn annotate_ended(memory: &PlannedMemory<'_>) {
    for op in &memory.analysis.handles.deallocs {
        let Some(buffer) = memory.address_taken.end(*op) else {
            continue;
        };
        let mut next = next_in_block(*op);
        while let Some(op) = next.filter(|op| memory.is_erased(*op)) {
            next = next_in_block(op);
        }
        if let Some(next) = next {
            let mut ended = build::integers_of(next, ENDED).unwrap_or_default();
            ended.push(i64::from(buffer.0));
            build::set_integers(next, ENDED, &ended);
        }
    }
}
