//! Creates arenas in the IR.

use super::{
    block_tree::BlockTree,
    dynamic::{
        decide::Part, facts::SitePosition, moves::may_move, sources::Sources, write::compute,
    },
    held::held,
    iterations,
    nested_arenas::NestedArenaKind,
    plan::{Arena, Plan},
    write_plan::{ArenaAllocation, WritePlan},
};
use crate::index_constants::IndexConstants;
use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    build::{self, BuildError, Builder, Compare, MANUAL_DEALLOCATION},
    ir::{Op, Origin, Type, Val, arguments, context_of, origin, results, type_of},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::attributes::{ARENA, BANKS, BUFFER, ITERATIONS, KEEP};
use rustc_hash::FxHashMap;

/// An arena in a global.
#[derive(Clone, Copy)]
pub struct GlobalArena<'c> {
    /// The global.
    pub global: Op<'c>,
    /// The operation of the function that gets it.
    pub get: Op<'c>,
    /// Its type.
    pub memref: Type<'c>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
}

/// An arena in the IR, with its constants.
pub struct MaterializedArena<'c> {
    /// The memory of the arena.
    pub bytes: Val<'c>,
    /// Constants, placed before all that is created.
    pub constants: IndexConstants<'c>,
    /// Offsets of buffers of dynamic size.
    pub offsets: FxHashMap<BufferId, Val<'c>>,
    /// Where it is freed, if that is not where its scope ends.
    pub end: Option<Builder<'c>>,
    /// If it is in a global.
    pub global: Option<GlobalArena<'c>>,
    /// Its bytes, if they are computed.
    pub size: Option<Val<'c>>,
}

/// Allocates an arena at the builder's position.
pub fn allocate<'c>(
    builder: &Builder<'c>,
    memref: Type<'c>,
    alignment: u64,
    free: bool,
) -> Result<Op<'c>, BuildError> {
    let op = builder.alloc(memref, alignment as i64)?;
    mark(op, free);
    Ok(op)
}

fn mark(op: Op<'_>, free: bool) {
    build::mark(op, ARENA);
    if free {
        build::mark(op, MANUAL_DEALLOCATION);
    }
}

/// Creates an arena before its first use, or in a repeating block, at the start of its scope. `seats` has the
/// offsets of nested arenas, and `around` the enclosing arenas.
#[allow(clippy::too_many_arguments)]
pub fn make<'c>(
    analysis: &Analysis<'c>,
    tree: &BlockTree<'_>,
    plan: &Plan,
    arena: &Arena,
    place: &ArenaAllocation,
    seats: &[Option<(usize, u64)>],
    around: &[Option<MaterializedArena<'c>>],
    memref: Type<'c>,
    orders: &WritePlan<'c>,
) -> Result<MaterializedArena<'c>, BuildError> {
    let (owner, block) = analysis.handles.scopes[arena.scope.index()];
    let location = owner.location();
    let builder = Builder::at_start(block, owner, location);
    let alignment = arena.alignment as i64;
    let made_by = |op: Op<'c>, bytes| MaterializedArena {
        bytes,
        // The operation that was first there may be replaced; the arena stays.
        constants: IndexConstants::new(Builder::before(op, location).unwrap_or(builder)),
        offsets: FxHashMap::default(),
        end: None,
        global: None,
        size: None,
    };
    let op = match place {
        ArenaAllocation::Alloc => {
            if let Some(part) = &arena.dynamic
                && let Some(computed) = compute(&orders.sources, arena.size, part, None)?
            {
                // If the size later turned out to be constant, canonicalization would replace the allocation
                // by one without its attributes, and a deallocation pass would free it again.
                let size = computed
                    .builder
                    .opaque_index(computed.total, &builder, KEEP)?;
                let op = computed.builder.alloc_bytes(memref, size, alignment)?;
                mark(op, orders.free);
                let mut made = made_by(op, result(op));
                made.offsets = computed.offsets;
                made.size = Some(computed.total);
                made.end = part
                    .end
                    .and_then(|end| end_after(&orders.sources, part, end));
                return Ok(made);
            }
            let held = held(analysis, tree, plan, arena);
            let start = held.and_then(|held| held.start()).unwrap_or(builder);
            let op = allocate(&start, memref, arena.alignment, orders.free)?;
            let mut made = made_by(op, result(op));
            made.end = held.and_then(|held| held.end());
            return Ok(made);
        }
        ArenaAllocation::Alloca { .. } => {
            let op = builder.alloca(memref, alignment)?;
            build::mark(op, ARENA);
            op
        }
        ArenaAllocation::Global(name) => {
            let outside = Builder::before(owner, location).ok_or_else(BuildError::unexpected)?;
            let global = outside.global(name, memref, alignment)?;
            let op = builder.get_global(name, memref)?;
            build::set_integer(op, ARENA, alignment);
            let mut made = made_by(op, result(op));
            made.global = Some(GlobalArena {
                global,
                get: op,
                memref,
                size: arena.size,
                alignment: arena.alignment,
            });
            return Ok(made);
        }
        ArenaAllocation::Argument => {
            let attributes = [(ARENA, builder.integer_attribute(alignment))];
            if !symbols::append_argument(owner, memref, &attributes, location) {
                return Err(BuildError::unexpected());
            }
            let bytes = arguments(block).last().ok_or(BuildError::unexpected())?;
            if let Some(part) = &arena.dynamic {
                return sized_argument(arena, part, bytes, &builder, orders);
            }
            // An operation that stays, as an insertion point.
            let first = arena.slices.first().map_or(0, |slice| slice.offset) as i64;
            let constant = builder.index(first)?;
            let Some(Origin::Result(op, _)) = origin(constant) else {
                return Err(BuildError::unexpected());
            };
            let mut made = made_by(op, bytes);
            made.constants = made.constants.with(first, constant);
            return Ok(made);
        }
        ArenaAllocation::Around(dimensions) => {
            let guest = arena.hoisted.ok_or_else(BuildError::unexpected)?;
            let NestedArenaKind::Bodies { stride, count, .. } = plan.guests[guest].what else {
                return Err(BuildError::unexpected());
            };
            let (outer, offset) = seats[guest].ok_or_else(BuildError::unexpected)?;
            let outer = around[outer].as_ref().ok_or_else(BuildError::unexpected)?;
            let (offset, stride) = (offset as i64, stride as i64);
            let shift = iterations::shift(&builder, block, dimensions, offset, stride)?;
            let numbers = builder.integers_attribute(&[offset, stride, count as i64]);
            let number = analysis.program.buffers.len() + guest;
            let attributes = [
                (ITERATIONS, numbers),
                (BUFFER, builder.integer_attribute(number as i64)),
            ];
            let bytes = builder.view(outer.bytes, shift, memref, &attributes)?;
            let Some(Origin::Result(op, _)) = origin(bytes) else {
                return Err(BuildError::unexpected());
            };
            build::set_integer(op, ARENA, alignment);
            return Ok(made_by(op, bytes));
        }
    };
    Ok(made_by(op, result(op)))
}

/// Where an arena is freed that is used up to an operation of its site. What may be moved for other sizes is no place for
/// that.
fn end_after<'c>(sources: &Sources<'c>, part: &Part, end: SitePosition) -> Option<Builder<'c>> {
    let ops = &sources.sites.get(part.site.0 as usize)?.ops;
    let (_, rest) = ops.get(end as usize..)?.split_last()?;
    let last = rest.iter().find(|op| !may_move(**op))?;
    Builder::after(*last, last.location())
}

/// An arena of dynamic size in an argument: a view of the bytes that it takes, which are computed from other arguments.
fn sized_argument<'c>(
    arena: &Arena,
    part: &Part,
    given: Val<'c>,
    start: &Builder<'c>,
    orders: &WritePlan<'c>,
) -> Result<MaterializedArena<'c>, BuildError> {
    let zero = start.index(0)?;
    let Some(Origin::Result(anchor, _)) = origin(zero) else {
        return Err(BuildError::unexpected());
    };
    let computed = compute(&orders.sources, arena.size, part, Some(anchor))?;
    let computed = computed.ok_or_else(BuildError::unexpected)?;
    let location = anchor.location();
    let after = Builder::after(anchor, location).ok_or_else(BuildError::unexpected)?;
    let size = computed.total;
    if orders.asserts_sizes {
        let bytes = after.dimension(given, 0)?;
        let fits = after.compare(Compare::LessOrEqual, size, bytes)?;
        after.assert(fits, "the arena is smaller than its size function says")?;
    }
    let attributes = [(ARENA, after.integer_attribute(arena.alignment as i64))];
    let bytes = after.dynamic_view(given, zero, &[size], type_of(given), &attributes)?;
    let before = Builder::before(anchor, location).ok_or_else(BuildError::unexpected)?;
    Ok(MaterializedArena {
        bytes,
        constants: IndexConstants::new(before),
        offsets: computed.offsets,
        end: None,
        global: None,
        size: Some(size),
    })
}

/// Says at an arena where its banks are.
pub fn set_banks<'c>(analysis: &Analysis<'c>, arena: Val<'c>, banks: &str) {
    let function = analysis.handles.scopes[0].0;
    match origin(arena) {
        Some(Origin::Result(op, _)) => build::set_text(op, BANKS, banks),
        Some(Origin::Argument(_, number)) => {
            let banks = context_of(function).text(banks);
            symbols::set_argument_attribute(function, number, BANKS, Some(banks));
        }
        None => {}
    }
}

/// The only result of an allocation.
pub fn result(op: Op<'_>) -> Val<'_> {
    results(op).next().expect("an allocation has a result")
}

/// For each nested arena, its containing arena and its offset.
pub fn seats(analysis: &Analysis<'_>, plan: &Plan) -> Vec<Option<(usize, u64)>> {
    let mut seats = vec![None; plan.guests.len()];
    for (index, arena) in plan.arenas.iter().enumerate() {
        for slice in &arena.slices {
            if let Some((guest, _)) = plan.guest(analysis, slice) {
                seats[guest] = Some((index, slice.offset));
            }
        }
    }
    seats
}

/// The type of each arena.
pub fn arena_types<'c>(
    analysis: &Analysis<'c>,
    plan: &Plan,
    orders: &WritePlan<'c>,
) -> Result<Vec<Type<'c>>, BuildError> {
    let types = plan
        .arenas
        .iter()
        .map(|arena| arena_type(analysis, plan, arena, orders));
    types
        .collect::<Option<_>>()
        .ok_or_else(BuildError::unexpected)
}

/// `memref<SIZExi8, SPACE>` for an arena; `memref<?xi8, SPACE>` with slots.
fn arena_type<'c>(
    analysis: &Analysis<'c>,
    plan: &Plan,
    arena: &Arena,
    orders: &WritePlan<'c>,
) -> Option<Type<'c>> {
    let (owner, block) = analysis.handles.scopes[arena.scope.index()];
    let builder = Builder::at_start(block, owner, owner.location());
    let like = memory_like(analysis, plan, arena, orders)?;
    Some(match arena.dynamic {
        Some(_) => builder.dynamic_bytes_type(like),
        None => builder.bytes_type(arena.size as i64, like),
    })
}

/// A type in the memory space of an arena: that of its first slice.
fn memory_like<'c>(
    analysis: &Analysis<'c>,
    plan: &Plan,
    arena: &Arena,
    orders: &WritePlan<'c>,
) -> Option<Type<'c>> {
    let mut arena = arena;
    loop {
        let Some(slice) = arena.slices.first() else {
            let buffer = arena.first_buffer()?;
            return Some(type_of(result(analysis.handles.buffers[buffer.index()])));
        };
        let Some((index, guest)) = plan.guest(analysis, slice) else {
            if let Some(moved) = orders.moved.get(&slice.plannable) {
                return Some(*moved);
            }
            let buffer = analysis.plannable[slice.plannable].buffer;
            return Some(type_of(result(analysis.handles.buffers[buffer.index()])));
        };
        match guest.what {
            NestedArenaKind::Callee { .. } => return orders.guests.get(index).copied(),
            NestedArenaKind::Bodies { arena: inner, .. } => arena = plan.arenas.get(inner)?,
        }
    }
}
