//! Puts the allocations of a function that keeps its loops and branches on one stack.

use super::{
    super::{
        settings::Home,
        write::{Stack, drop_deallocs, finish},
    },
    Reading,
};
use memplan_bounded::paths::Walked;
use memplan_lifetimes::read::BUFFER;
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, erase, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};

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
    let made = reading.analysis.plannable.iter().map(|plannable| {
        let op = reading.analysis.handles.buffers[plannable.buffer.index()];
        (op, results(op).next(), plannable.buffer)
    });
    let made: Vec<_> = made.collect();
    let Some((_, Some(first), _)) = made.first() else {
        return Ok(());
    };
    let like = type_of(*first);
    let mut stack = Stack::make(function, reading.entry, like, walked.peak, unit, home)?;
    for ((op, result, buffer), name) in made.into_iter().zip(&reading.names) {
        let (Some(result), Some(builder)) = (result, Builder::before(op, op.location())) else {
            return Err(BuildError::signature());
        };
        let shift = stack.index(offsets.get(name).copied().unwrap_or(0))?;
        let id = builder.integer_attribute(i64::from(buffer.0));
        let view = builder.view(stack.bytes, shift, type_of(result), &[(BUFFER, id)])?;
        replace_all_uses(result, view);
    }
    // Not before: numbers stand in front of the function's first operation, which may be one of these.
    for plannable in &reading.analysis.plannable {
        erase(reading.analysis.handles.buffers[plannable.buffer.index()]);
    }
    drop_deallocs(&reading.analysis);
    finish(&reading.analysis, stack.bytes, home)
}
