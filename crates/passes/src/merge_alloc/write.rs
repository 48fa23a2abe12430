//! Writes a plan into the IR. No decision is taken here.

use super::decide::{Arena, Plan, Slice};
use memplan_lifetimes::{Analysis, read::ARENA};
use memplan_mlir::{
    build::{self, BuildError, Builder, Compare, MANUAL_DEALLOCATION},
    ir::{Op, Val, erase, operands, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use rustc_hash::FxHashMap;

/// Names a slice, so that no two are taken for the same by CSE.
pub const BUFFER: &str = "memplan.buffer";
/// The offsets of a slice's slots, where it has several.
pub const SLOTS: &str = "memplan.slots";

/// Writes `plan` into the function that `analysis` is of. With `free`, arenas are freed on every
/// exit, and marked so that deallocation passes leave them alone.
pub fn write(analysis: &Analysis<'_>, plan: &Plan, free: bool) -> Result<(), BuildError> {
    let mut made = Vec::with_capacity(plan.arenas.len());
    for arena in &plan.arenas {
        made.push(allocate(analysis, arena, free)?);
    }
    for (arena, mut made) in plan.arenas.iter().zip(made) {
        for slice in &arena.slices {
            replace(analysis, slice, &mut made)?;
        }
        let bytes = made.bytes;
        if free {
            for exit in &analysis.handles.exits[arena.scope.index()] {
                if let Some(builder) = Builder::before(*exit, exit.location()) {
                    build::mark(builder.dealloc(bytes)?, MANUAL_DEALLOCATION);
                }
            }
        }
    }
    for copy in &plan.idle_copies {
        erase(analysis.handles.copies[*copy as usize]);
    }
    for (op, drop) in analysis
        .handles
        .deallocs
        .iter()
        .zip(&analysis.dropped_deallocs)
    {
        if *drop {
            erase(*op);
        }
    }
    for (op, drop) in analysis
        .handles
        .distinct
        .iter()
        .zip(&analysis.dropped_distinct)
    {
        if *drop {
            for (result, operand) in results(*op).zip(operands(*op)) {
                replace_all_uses(result, operand);
            }
            erase(*op);
        }
    }
    Ok(())
}

/// An arena in the IR, and the constants made beside it.
struct Made<'c> {
    bytes: Val<'c>,
    /// In front of the arena.
    start: Builder<'c>,
    constants: FxHashMap<i64, Val<'c>>,
}

impl<'c> Made<'c> {
    /// An index constant at the start of the scope, one for each value.
    fn index(&mut self, value: i64) -> Result<Val<'c>, BuildError> {
        if let Some(made) = self.constants.get(&value) {
            return Ok(*made);
        }
        let made = self.start.index(value)?;
        self.constants.insert(value, made);
        Ok(made)
    }
}

/// Allocates an arena at the start of its scope.
fn allocate<'c>(
    analysis: &Analysis<'c>,
    arena: &Arena,
    free: bool,
) -> Result<Made<'c>, BuildError> {
    let (owner, block) = analysis.handles.scopes[arena.scope.index()];
    let builder = Builder::at_start(block, owner, owner.location());
    let first = analysis.plannable[arena.slices[0].plannable].buffer;
    let like = type_of(result(analysis.handles.buffers[first.index()]));
    let memref = builder.bytes_type(arena.size as i64, like);
    let op = builder.alloc(memref, arena.alignment as i64)?;
    build::mark(op, ARENA);
    if free {
        build::mark(op, MANUAL_DEALLOCATION);
    }
    Ok(Made {
        bytes: result(op),
        // What stood there first may be replaced; the arena stays.
        start: Builder::before(op, owner.location()).unwrap_or(builder),
        constants: FxHashMap::default(),
    })
}

/// The only result of an allocation.
fn result(op: Op<'_>) -> Val<'_> {
    results(op).next().expect("an allocation has a result")
}

/// Puts a slice where an allocation was.
fn replace<'c>(
    analysis: &Analysis<'c>,
    slice: &Slice,
    arena: &mut Made<'c>,
) -> Result<(), BuildError> {
    let plannable = &analysis.plannable[slice.plannable];
    let op = analysis.handles.buffers[plannable.buffer.index()];
    let old = result(op);
    let Some(builder) = Builder::before(op, op.location()) else {
        return Ok(());
    };
    let offsets: Vec<i64> = (0..slice.slots)
        .map(|slot| (slice.offset + slot * slice.stride) as i64)
        .collect();
    let shift = match offsets.as_slice() {
        [offset] => arena.index(*offset)?,
        offsets => {
            let carried: Vec<Val<'c>> = plannable
                .carried
                .iter()
                .map(|value| analysis.handles.values[value.index()])
                .collect();
            free_slot(&builder, arena, &carried, offsets, slice.stride as i64)?
        }
    };
    let id = builder.integer_attribute(i64::from(plannable.buffer.0));
    let view = if offsets.len() == 1 {
        builder.view(arena.bytes, shift, type_of(old), &[(BUFFER, id)])?
    } else {
        let slots = builder.integers_attribute(&offsets);
        builder.view(
            arena.bytes,
            shift,
            type_of(old),
            &[(BUFFER, id), (SLOTS, slots)],
        )?
    };
    replace_all_uses(old, view);
    erase(op);
    Ok(())
}

/// The offset of the first slot that no carried value points into. There is one slot more than
/// carried values, so the last is free if no other is.
fn free_slot<'c>(
    builder: &Builder<'c>,
    arena: &mut Made<'c>,
    carried: &[Val<'c>],
    offsets: &[i64],
    stride: i64,
) -> Result<Val<'c>, BuildError> {
    let base = builder.aligned_pointer(arena.bytes)?;
    let stride = arena.index(stride)?;
    let mut distances = Vec::with_capacity(carried.len());
    for value in carried {
        let pointer = builder.aligned_pointer(*value)?;
        distances.push(builder.subtract(pointer, base)?);
    }
    let mut slots = Vec::with_capacity(offsets.len());
    for offset in offsets {
        let offset = arena.index(*offset)?;
        let mut occupied = None;
        for distance in &distances {
            let within = builder.subtract(*distance, offset)?;
            let inside = builder.compare(Compare::UnsignedLess, within, stride)?;
            occupied = Some(match occupied {
                None => inside,
                Some(before) => builder.or(before, inside)?,
            });
        }
        slots.push((offset, occupied));
    }
    let (mut shift, _) = slots[slots.len() - 1];
    for (offset, occupied) in slots.iter().rev().skip(1) {
        if let Some(occupied) = occupied {
            shift = builder.select(*occupied, shift, *offset)?;
        }
    }
    Ok(shift)
}
