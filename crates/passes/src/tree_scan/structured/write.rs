//! Puts the allocations of a function that keeps its loops and branches on one stack.

use super::{
    super::{memory::Memory, settings::StackPlacement, stack::Stack},
    Reading,
};
use crate::dropped;
use memplan_bounded::paths::StackLayout;
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    build::{self, BuildError, Builder},
    ir::{Op, erase, next_in_block, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{ENDED, PINNED};
use rustc_hash::FxHashSet;

/// Puts the allocations of a function on one stack.
pub fn write<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    walked: &StackLayout,
    unit: u64,
    home: StackPlacement,
) -> Result<(), BuildError> {
    let Some(offsets) = &walked.offsets else {
        return Ok(());
    };
    // What no path executes has no place, and stays.
    let placed = reading.memory.analysis.plannable.iter().zip(&reading.names);
    let made = placed.filter_map(|(plannable, name)| {
        let op = reading.memory.analysis.handles.buffers[plannable.buffer.index()];
        Some((
            op,
            results(op).next(),
            plannable.buffer,
            *offsets.get(name)?,
        ))
    });
    let made: Vec<_> = made.collect();
    let memory = &reading.memory;
    let addressed: FxHashSet<BufferId> = memory.addressed.buffers().collect();
    let Some((_, Some(first), ..)) = made.first() else {
        return Ok(());
    };
    let like = type_of(*first);
    let mut stack = Stack::make(function, reading.entry, like, walked.peak, unit, home)?;
    for (op, result, buffer, offset) in &made {
        let (Some(result), Some(builder)) = (*result, Builder::before(*op, op.location())) else {
            return Err(BuildError::signature());
        };
        let (view, op) = stack.view(*offset, type_of(result), buffer.0, &builder)?;
        if addressed.contains(buffer) {
            build::mark(op, PINNED);
        }
        replace_all_uses(result, view);
    }
    // Not before: numbers stand in front of the function's first operation, which may be one of these.
    for (op, ..) in made {
        erase(op);
    }
    tell_ended(memory);
    dropped::erase_all(&memory.analysis);
    stack.free(&memory.analysis)
}

/// Says in front of which operations buffers have ended whose address was taken.
fn tell_ended(memory: &Memory<'_>) {
    for op in &memory.analysis.handles.deallocs {
        let Some(buffer) = memory.addressed.end(*op) else {
            continue;
        };
        let mut next = next_in_block(*op);
        while let Some(op) = next.filter(|op| memory.is_dropped(*op)) {
            next = next_in_block(op);
        }
        if let Some(next) = next {
            let mut ended = build::integers_of(next, ENDED).unwrap_or_default();
            ended.push(i64::from(buffer.0));
            build::set_integers(next, ENDED, &ended);
        }
    }
}
