//! Stack memory that memrefs are laid out in for their words, as deallocation writes it, read back.
//!
//! Nobody but loads and stores by views of it knows such memory, so what is laid out there gets nowhere else. What a load
//! gives is known from the store in front of it in the same block: the memref itself, or a word of it. Where a load stands
//! elsewhere, or something is written that is no word of the same memref, nothing is known of all that memory. Memrefs are
//! laid out at its start, each over the one before, so no address of that stays there.

use memplan_mlir::{
    build::tables::{ElementAccess, element_access, viewed_stack},
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

/// The words of a memref that are addresses: the allocated pointer, and that of the data.
const ADDRESSES: Range<i64> = 0..2;

/// What a load or store does.
#[derive(Clone, Copy)]
pub enum DescriptorAccess<'c> {
    /// Lays out a memref, or moves a word of one.
    Stored,
    /// Gives the memref that was laid out, perhaps with words of it at other places.
    Memref(Val<'c>),
    /// Gives a word of this memref, which may be an address.
    Address(Val<'c>),
}

/// A cache of what is known of loads and stores. While it is used, none of these may change.
#[derive(Default)]
pub struct Words<'c> {
    /// Memory that has been looked at.
    seen: FxHashSet<Key>,
    words: FxHashMap<Key, DescriptorAccess<'c>>,
}

impl<'c> Words<'c> {
    /// May operations of a name do anything with such memory?
    pub fn concern(info: NameInfo) -> bool {
        info.has_memory_effects() && !info.is_call()
    }

    /// What an operation does with such memory; `None` where it does nothing, or nothing is known.
    pub fn of(&mut self, op: Op<'c>) -> Option<DescriptorAccess<'c>> {
        let (stack, _) = viewed_stack(element_access(op)?.memory)?;
        if self.seen.insert(stack.key()) {
            self.words.extend(read(stack).unwrap_or_default());
        }
        self.words.get(&op.key()).copied()
    }

    /// Does an operation give the address of memory as a number or pointer?
    pub fn give_address(&mut self, op: Op<'c>, semantics: &mut Semantics) -> bool {
        semantics.gives_addresses(op)
            || (Self::concern(semantics.info(op))
                && matches!(self.of(op), Some(DescriptorAccess::Address(_))))
    }
}

/// What all that uses stack memory does; `None` if anything is not known.
fn read<'c>(stack: Val<'c>) -> Option<FxHashMap<Key, DescriptorAccess<'c>>> {
    // By block: accesses, with where the walk starts that comes across all of them.
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
            // What is stored is no view of the memory itself.
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
    let mut words = FxHashMap::default();
    for (first, all) in order.iter().filter_map(|block| accesses.get(block)) {
        let (mut laid, mut left) = (None, all.len());
        let mut next = Some(*first);
        while let Some(op) = next.filter(|_| left > 0) {
            if all.contains(&op.key()) {
                words.insert(op.key(), access(op, &mut laid)?);
                left -= 1;
            } else if regions(op).next().is_some() {
                // It may lay out others.
                laid = None;
            }
            next = next_in_block(op);
        }
    }
    Some(words)
}

/// A memref that is laid out.
struct Laid<'c> {
    memref: Val<'c>,
    /// As what memory.
    cell: Val<'c>,
    /// Words that were read of it.
    words: FxHashSet<Key>,
}

/// What an access does, with what is laid out in front of it and behind.
fn access<'c>(op: Op<'c>, laid: &mut Option<Laid<'c>>) -> Option<DescriptorAccess<'c>> {
    let ElementAccess {
        memory: cell,
        stored,
        indices,
    } = element_access(op)?;
    let Some(stored) = stored else {
        let laid = laid.as_mut()?;
        let result = results(op).next()?;
        if is_memref(type_of(result)) {
            return (cell == laid.cell).then_some(DescriptorAccess::Memref(laid.memref));
        }
        laid.words.insert(result.key());
        return type_of(result)
            .is_index()
            .then_some(DescriptorAccess::Address(laid.memref));
    };
    if is_memref(type_of(stored)) {
        // With an index it is one of many.
        if !indices.is_empty() {
            return None;
        }
        *laid = Some(Laid {
            memref: stored,
            cell,
            words: FxHashSet::default(),
        });
        return Some(DescriptorAccess::Stored);
    }
    // What is laid out next takes the place of the first words, so no address of this memref stays.
    let mut places = indices.iter();
    let is_replaced =
        places.all(|at| constant(*at).is_some_and(|place| ADDRESSES.contains(&place)));
    let is_word = laid.as_ref()?.words.contains(&stored.key());
    (is_replaced && is_word).then_some(DescriptorAccess::Stored)
}
