//! Puts the allocations of a function that keeps its loops and branches on one stack.

use super::{
    super::{
        read::dropped,
        settings::Home,
        write::{Stack, drop_deallocs, finish},
    },
    Reading,
};
use memplan_bounded::paths::Walked;
use memplan_mlir::{
    build::{self, BuildError, Builder},
    ir::{Identity, Op, Origin, erase, next_in_block, origin, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{BUFFER, ENDED, PINNED};

/// Puts the allocations of a function on one stack.
pub fn write<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    walked: &Walked,
    unit: u64,
    home: Home,
) -> Result<(), BuildError> {
    let Some(offsets) = &walked.offsets else {
        return Ok(());
    };
    // What no path executes has no place, and stays.
    let placed = reading.analysis.plannable.iter().zip(&reading.names);
    let made = placed.filter_map(|(plannable, name)| {
        let op = reading.analysis.handles.buffers[plannable.buffer.index()];
        Some((
            op,
            results(op).next(),
            plannable.buffer,
            *offsets.get(name)?,
        ))
    });
    let made: Vec<_> = made.collect();
    let Some((_, Some(first), ..)) = made.first() else {
        return Ok(());
    };
    let like = type_of(*first);
    let mut stack = Stack::make(function, reading.entry, like, walked.peak, unit, home)?;
    for (op, result, buffer, offset) in &made {
        let (Some(result), Some(builder)) = (*result, Builder::before(*op, op.location())) else {
            return Err(BuildError::signature());
        };
        let shift = stack.index(*offset)?;
        let id = builder.integer_attribute(i64::from(buffer.0));
        let view = builder.view(stack.bytes, shift, type_of(result), &[(BUFFER, id)])?;
        if let Some(Origin::Result(op, _)) = origin(view)
            && reading.pinned.contains(buffer)
        {
            build::mark(op, PINNED);
        }
        replace_all_uses(result, view);
    }
    // Not before: numbers stand in front of the function's first operation, which may be one of these.
    for (op, ..) in made {
        erase(op);
    }
    tell_ended(reading);
    drop_deallocs(&reading.analysis);
    finish(&reading.analysis, stack.bytes, home)
}

/// Says in front of which operations buffers have ended whose address was taken.
fn tell_ended(reading: &Reading<'_>) {
    let gone = dropped(&reading.analysis);
    for op in &reading.analysis.handles.deallocs {
        let Some(buffer) = reading.addressed.end(*op) else {
            continue;
        };
        let mut next = next_in_block(*op);
        while let Some(op) = next.filter(|op| gone.contains(&op.key())) {
            next = next_in_block(op);
        }
        if let Some(next) = next {
            let mut ended = build::integers_of(next, ENDED).unwrap_or_default();
            ended.push(i64::from(buffer.0));
            build::set_integers(next, ENDED, &ended);
        }
    }
}
