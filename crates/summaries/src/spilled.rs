//! Stack memory into which deallocation spills memref descriptors to read their fields.
//!
//! Only loads and stores by views of it access such memory, so a spilled memref flows nowhere else. A load
//! gives the value of the preceding store in the same block: the memref itself, or a field of its descriptor.
//! If a load is in another block, or a store writes a value that is not a field of the same memref, nothing
//! is known about that memory. Each descriptor is spilled to the start of the memory and overwrites the
//! previous one, so no address stays there.

use memplan_mlir::{
    build::stack_tables::{ElementAccess, element_access, viewed_stack},
    constants::constant,
    ir::{
        Identity, Key, Op, Val, is_memref, next_in_block, parent_block, regions, results, type_of,
        users,
    },
    melior::ir::TypeLike,
    values::is_before,
};
use memplan_semantics::{Semantics, names::NameInfo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Fields of a descriptor that are addresses: the allocated and the aligned pointer.
const ADDRESSES: Range<i64> = 0..2;

/// Access to spilled descriptors.
#[derive(Clone, Copy)]
pub enum DescriptorAccess<'c> {
    /// Spills a memref, or moves a field of it.
    Stored,
    /// Loads the spilled memref, perhaps with its fields permuted.
    Memref(Val<'c>),
    /// Loads a field of this memref, which may be an address.
    Address(Val<'c>),
}

/// Cache of accesses. Loads and stores must not change while it is in use.
#[derive(Default)]
pub struct SpilledDescriptors<'c> {
    /// Memory that was analysed.
    seen: FxHashSet<Key>,
    fields: FxHashMap<Key, DescriptorAccess<'c>>,
}

impl<'c> SpilledDescriptors<'c> {
    /// Whether operations of a name can access such memory.
    pub fn concern(info: NameInfo) -> bool {
        info.has_memory_effects() && !info.is_call()
    }

    /// The access of an operation; `None` if it has none, or nothing is known.
    pub fn of(&mut self, op: Op<'c>) -> Option<DescriptorAccess<'c>> {
        let (stack, _) = viewed_stack(element_access(op)?.memory)?;
        if self.seen.insert(stack.key()) {
            self.fields.extend(read(stack).unwrap_or_default());
        }
        self.fields.get(&op.key()).copied()
    }

    /// Whether an operation gives the address of memory as a number or pointer.
    pub fn give_address(&mut self, op: Op<'c>, semantics: &mut Semantics) -> bool {
        semantics.returns_addresses(op)
            || (Self::concern(semantics.info(op))
                && matches!(self.of(op), Some(DescriptorAccess::Address(_))))
    }
}

/// Accesses of all uses of stack memory; `None` if one is unknown.
fn read<'c>(stack: Val<'c>) -> Option<FxHashMap<Key, DescriptorAccess<'c>>> {
    // By block: accesses, and the first operation of a walk that reaches all of them.
    let mut accesses: FxHashMap<Key, (Op<'c>, FxHashSet<Key>)> = FxHashMap::default();
    let mut order = Vec::new();
    for view in users(stack) {
        let cell = results(view).next()?;
        let (_, shift) = viewed_stack(cell)?;
        if constant(shift) != Some(0) {
            return None;
        }
        for op in users(cell) {
            let access = element_access(op)?;
            // The memory itself must not be stored.
            if access.stored == Some(cell) || access.memory != cell {
                return None;
            }
            let block = parent_block(op)?;
            let (first, all) = accesses.entry(block.key()).or_insert_with(|| {
                order.push(block.key());
                (op, FxHashSet::default())
            });
            if is_before(op, *first) {
                *first = op;
            }
            all.insert(op.key());
        }
    }
    let mut fields = FxHashMap::default();
    for (first, all) in order.iter().filter_map(|block| accesses.get(block)) {
        let (mut spilled, mut left) = (None, all.len());
        let mut next = Some(*first);
        while let Some(op) = next.filter(|_| left > 0) {
            if all.contains(&op.key()) {
                fields.insert(op.key(), access(op, &mut spilled)?);
                left -= 1;
            } else if regions(op).next().is_some() {
                // Another operation may spill memrefs there.
                spilled = None;
            }
            next = next_in_block(op);
        }
    }
    Some(fields)
}

/// A spilled memref.
struct Spilled<'c> {
    memref: Val<'c>,
    /// The view that it was stored to.
    cell: Val<'c>,
    /// Fields that were loaded.
    fields: FxHashSet<Key>,
}

/// Access of an operation, given the memref that is spilled before it. Updates that to the one after it.
fn access<'c>(op: Op<'c>, spilled: &mut Option<Spilled<'c>>) -> Option<DescriptorAccess<'c>> {
    let ElementAccess {
        memory: cell,
        stored,
        indices,
    } = element_access(op)?;
    let Some(stored) = stored else {
        let spilled = spilled.as_mut()?;
        let result = results(op).next()?;
        if is_memref(type_of(result)) {
            return (cell == spilled.cell).then_some(DescriptorAccess::Memref(spilled.memref));
        }
        spilled.fields.insert(result.key());
        return type_of(result)
            .is_index()
            .then_some(DescriptorAccess::Address(spilled.memref));
    };
    if is_memref(type_of(stored)) {
        // With an index, it is one of several.
        if !indices.is_empty() {
            return None;
        }
        *spilled = Some(Spilled {
            memref: stored,
            cell,
            fields: FxHashSet::default(),
        });
        return Some(DescriptorAccess::Stored);
    }
    // The next spill overwrites the first fields, so no address of this memref stays.
    let mut places = indices.iter();
    let is_replaced =
        places.all(|at| constant(*at).is_some_and(|place| ADDRESSES.contains(&place)));
    let is_field = spilled.as_ref()?.fields.contains(&stored.key());
    (is_replaced && is_field).then_some(DescriptorAccess::Stored)
}
