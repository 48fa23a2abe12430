//! Writes a plan into the IR. Takes no decisions.

use super::{
    banks,
    block_tree::BlockTree,
    dynamic::sources::Sources,
    materialize::{self, GlobalArena, MaterializedArena, result},
    nested_arenas::NestedArenaKind,
    plan::{Plan, Slice},
    write_plan::{ArenaAllocation, WritePlan},
};
use crate::{erased_ops, memory_spaces::uses};
use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    build::{self, BuildError, Builder, Compare, MANUAL_DEALLOCATION},
    ir::{Op, Type, Val, erase, operands, replace_all_uses, type_of},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::attributes::{
    ACROSS_BANKS, APART, BANK, BUFFER, SLICE_ALIGNMENT, SLOTS, forget_pieces_around,
};

/// What was written.
#[derive(Default)]
pub struct Written<'c> {
    /// The arenas in globals.
    pub globals: Vec<GlobalArena<'c>>,
    /// For each arena, its bytes, if they are computed.
    pub sizes: Vec<Option<Val<'c>>>,
}

/// Writes `plan` into the function of `analysis`. `types` has the type of each arena.
pub fn write<'c>(
    analysis: &Analysis<'c>,
    plan: &Plan,
    orders: &WritePlan<'c>,
    types: &[Type<'c>],
) -> Result<Written<'c>, BuildError> {
    let mut made: Vec<Option<MaterializedArena<'c>>> = plan.arenas.iter().map(|_| None).collect();
    let seats = materialize::seats(analysis, plan);
    let tree = BlockTree::of(&analysis.program);
    // Outer scopes have lower numbers.
    let mut order: Vec<usize> = (0..plan.arenas.len()).collect();
    order.sort_by_key(|index| plan.arenas[*index].scope);
    for &index in &order {
        let (arena, place) = (&plan.arenas[index], &orders.places[index]);
        let memref = types[index];
        let new = materialize::make(
            analysis, &tree, plan, arena, place, &seats, &made, memref, orders,
        )?;
        if let Some(end) = new.end.as_ref().filter(|_| orders.free) {
            build::mark(end.dealloc(new.bytes)?, MANUAL_DEALLOCATION);
        }
        if let Some(layout) = orders.banks.layout(arena) {
            materialize::set_banks(analysis, new.bytes, &banks::text(layout));
        }
        made[index] = Some(new);
    }
    let globals = made.iter().flatten().filter_map(|made| made.global);
    let sizes = made.iter();
    let written = Written {
        globals: globals.collect(),
        sizes: sizes.map(|made| made.as_ref()?.size).collect(),
    };
    let mut passed: Vec<Vec<(usize, Val<'c>)>> = vec![Vec::new(); analysis.handles.calls.len()];
    for ((arena, place), made) in plan.arenas.iter().zip(&orders.places).zip(made) {
        let mut made = made.ok_or_else(BuildError::unexpected)?;
        for slice in &arena.slices {
            match plan.guest(analysis, slice) {
                None => {
                    let moved = orders.moved.get(&slice.plannable).copied();
                    replace(analysis, slice, moved, &mut made)?;
                }
                Some((index, guest)) => {
                    if let NestedArenaKind::Callee { call, number } = guest.what {
                        let r#type = orders.guests[index];
                        let op = analysis.handles.calls[call];
                        let number_of = plan.id(analysis, slice) as i64;
                        let value = slice_for_call(op, slice, r#type, number_of, &mut made)?;
                        passed[call].push((number, value));
                    }
                }
            }
        }
        for slot in arena.dynamic.iter().flat_map(|part| &part.slots) {
            for buffer in &slot.members {
                replace_dynamic(analysis, *buffer, &orders.sources, &made)?;
            }
        }
        let bytes = made.bytes;
        if orders.free && *place == ArenaAllocation::Alloc && made.end.is_none() {
            let inner = arena.dynamic.as_ref().and_then(|part| {
                let site = orders.sources.sites.get(part.site.0 as usize)?;
                site.exit.as_ref().map(std::slice::from_ref)
            });
            for exit in inner.unwrap_or(&analysis.handles.exits[arena.scope.index()]) {
                if let Some(builder) = Builder::before(*exit, exit.location()) {
                    build::mark(builder.dealloc(bytes)?, MANUAL_DEALLOCATION);
                }
            }
        }
    }
    for (op, mut passed) in analysis.handles.calls.iter().zip(passed) {
        if !passed.is_empty() {
            passed.sort_by_key(|(number, _)| *number);
            let values: Vec<Val<'c>> = passed.into_iter().map(|(_, value)| value).collect();
            symbols::append_operands(*op, &values);
        }
    }
    for copy in &plan.idle_copies {
        let copy = analysis.handles.copies[*copy as usize];
        forget_pieces_around(copy);
        erase(copy);
    }
    erased_ops::erase_all(analysis);
    let mut wrapped = None;
    for index in order {
        let scope = plan.arenas[index].scope;
        if orders.places[index] == (ArenaAllocation::Alloca { wrapped: true })
            && wrapped != Some(scope)
        {
            let (owner, block) = analysis.handles.scopes[scope.index()];
            build::move_into_scope(block, owner)?;
            wrapped = Some(scope);
        }
    }
    Ok(written)
}

/// Creates a slice for the callee's arena before a call.
fn slice_for_call<'c>(
    call: Op<'c>,
    slice: &Slice,
    r#type: Type<'c>,
    number: i64,
    arena: &mut MaterializedArena<'c>,
) -> Result<Val<'c>, BuildError> {
    let shift = arena.constants.get(slice.offset as i64)?;
    let builder = Builder::before(call, call.location()).ok_or_else(BuildError::unexpected)?;
    let attributes = [
        (BUFFER, builder.integer_attribute(number)),
        (
            SLICE_ALIGNMENT,
            builder.integer_attribute(slice.alignment as i64),
        ),
    ];
    builder.view(arena.bytes, shift, r#type, &attributes)
}

/// Replaces an allocation by a view of its slot.
fn replace_dynamic<'c>(
    analysis: &Analysis<'c>,
    buffer: BufferId,
    sources: &Sources<'c>,
    arena: &MaterializedArena<'c>,
) -> Result<(), BuildError> {
    let op = analysis.handles.buffers[buffer.index()];
    let old = result(op);
    let (Some(builder), Some(offset)) = (
        Builder::before(op, op.location()),
        arena.offsets.get(&buffer),
    ) else {
        return Ok(());
    };
    // The values that the size was computed from, so that it is visible that the slot is large enough.
    let dims = sources.operands.get(&buffer).into_iter().flatten();
    let dims = dims.copied().chain(std::iter::repeat(None));
    let sizes: Vec<Val<'c>> = operands(op)
        .zip(dims)
        .map(|(own, dim)| dim.map_or(own, |dim| sources.dims[dim.0 as usize]))
        .collect();
    let id = builder.integer_attribute(i64::from(buffer.0));
    let view = builder.dynamic_view(arena.bytes, *offset, &sizes, type_of(old), &[(BUFFER, id)])?;
    replace_all_uses(old, view);
    erase(op);
    Ok(())
}

/// Replaces an allocation by a slice.
fn replace<'c>(
    analysis: &Analysis<'c>,
    slice: &Slice,
    moved: Option<Type<'c>>,
    arena: &mut MaterializedArena<'c>,
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
        [offset] => arena.constants.get(*offset)?,
        offsets => {
            let carried: Vec<Val<'c>> = plannable
                .carried
                .iter()
                .map(|value| analysis.handles.values[value.index()])
                .collect();
            free_slot(&builder, arena, &carried, offsets, slice.stride as i64)?
        }
    };
    let mut attributes = vec![(
        BUFFER,
        builder.integer_attribute(i64::from(plannable.buffer.0)),
    )];
    // For the check of the plan.
    let of_banks = [BANK, ACROSS_BANKS, APART].into_iter();
    attributes.extend(of_banks.filter_map(|name| Some((name, op.attribute(name).ok()?))));
    let r#type = moved.unwrap_or(type_of(old));
    let view = if offsets.len() == 1 {
        // A size of which only an upper bound is known.
        let sizes: Vec<Val<'c>> = operands(op).collect();
        builder.dynamic_view(arena.bytes, shift, &sizes, r#type, &attributes)?
    } else {
        attributes.push((SLOTS, builder.integers_attribute(&offsets)));
        builder.view(arena.bytes, shift, r#type, &attributes)?
    };
    replace_all_uses(old, view);
    if moved.is_some() {
        uses::retype(view);
    }
    erase(op);
    Ok(())
}

/// The offset of the first slot that no loop-carried value points into. There is one slot more than there are
/// such values, so the last one is free if no other is.
fn free_slot<'c>(
    builder: &Builder<'c>,
    arena: &mut MaterializedArena<'c>,
    carried: &[Val<'c>],
    offsets: &[i64],
    stride: i64,
) -> Result<Val<'c>, BuildError> {
    let base = builder.aligned_pointer(arena.bytes)?;
    let stride = arena.constants.get(stride)?;
    let mut distances = Vec::with_capacity(carried.len());
    for value in carried {
        let pointer = builder.aligned_pointer(*value)?;
        distances.push(builder.subtract(pointer, base)?);
    }
    let Some((last, others)) = offsets.split_last() else {
        return arena.constants.get(0);
    };
    let mut slots = Vec::with_capacity(others.len());
    for number in others {
        let offset = arena.constants.get(*number)?;
        let mut occupied = None;
        for distance in &distances {
            let within = match number {
                0 => *distance,
                _ => builder.subtract(*distance, offset)?,
            };
            let inside = builder.compare(Compare::UnsignedLess, within, stride)?;
            occupied = Some(match occupied {
                None => inside,
                Some(before) => builder.or(before, inside)?,
            });
        }
        slots.push((offset, occupied));
    }
    let mut shift = arena.constants.get(*last)?;
    for (offset, occupied) in slots.iter().rev() {
        if let Some(occupied) = occupied {
            shift = builder.select(*occupied, shift, *offset)?;
        }
    }
    Ok(shift)
}
