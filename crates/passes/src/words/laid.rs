//! Stack memory that memrefs are laid out in for their words, as [`Stack`](super::Stack) writes it, read back.
//!
//! Nobody but loads and stores by views of it knows such memory, so what is laid out there gets nowhere else. What a load
//! gives is known from the store in front of it in the same block: the memref itself, or a word of it. Where a load stands
//! elsewhere, or something is written that is no word of the same memref, nothing is known of all that memory. Memrefs are
//! laid out at its start, each over the one before, so no address of that stays there.

use crate::origins::is_zero;
use memplan_mlir::{
    build::integer,
    ir::{
        Identity, Key, Op, Origin, Val, is_memref, next_in_block, operands, origin, parent_block,
        regions, results, type_of, users,
    },
    melior::ir::TypeLike,
    names::{Known, NameInfo, Names},
    values::is_before,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The words of a memref that are addresses: the allocated pointer, and that of the data.
const ADDRESSES: Range<i64> = 0..2;

/// What a load or store does.
#[derive(Clone, Copy)]
pub enum Word<'c> {
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
    words: FxHashMap<Key, Word<'c>>,
}

impl<'c> Words<'c> {
    /// May operations of a name do anything with such memory?
    pub const fn concern(info: NameInfo) -> bool {
        matches!(info.known, Known::Load | Known::Store)
    }

    /// What an operation does with such memory; `None` where it does nothing, or nothing is known.
    pub fn of(&mut self, op: Op<'c>, names: &mut Names) -> Option<Word<'c>> {
        let stack = stack_memory(accessed(op, names)?, names)?;
        if self.seen.insert(stack.key()) {
            self.words.extend(read(stack, names).unwrap_or_default());
        }
        self.words.get(&op.key()).copied()
    }
}

/// The memory that a load or store is of.
fn accessed<'c>(op: Op<'c>, names: &mut Names) -> Option<Val<'c>> {
    match names.info(op).known {
        Known::Load => operands(op).next(),
        Known::Store => operands(op).nth(1),
        _ => None,
    }
}

/// The stack memory that a memref is a view of.
fn stack_memory<'c>(view: Val<'c>, names: &mut Names) -> Option<Val<'c>> {
    let view = defined_by(view, Known::View, names)?;
    let memory = operands(view).next()?;
    defined_by(memory, Known::Alloca, names).map(|_| memory)
}

fn defined_by<'c>(val: Val<'c>, known: Known, names: &mut Names) -> Option<Op<'c>> {
    match origin(val)? {
        Origin::Result(op, _) => (names.info(op).known == known).then_some(op),
        Origin::Argument(..) => None,
    }
}

/// What all that uses stack memory does; `None` if anything is not known.
fn read<'c>(stack: Val<'c>, names: &mut Names) -> Option<FxHashMap<Key, Word<'c>>> {
    // By block: accesses, with where the walk starts that comes across all of them.
    let mut accesses: FxHashMap<Key, (Op<'c>, FxHashSet<Key>)> = FxHashMap::default();
    let mut order = Vec::new();
    for view in users(stack) {
        let starts_there = names.info(view).known == Known::View
            && operands(view)
                .nth(1)
                .is_some_and(|shift| is_zero(shift, names));
        if !starts_there {
            return None;
        }
        let cell = results(view).next();
        for op in results(view).flat_map(users) {
            // What is stored is no view of the memory itself.
            let is_stored = names.info(op).known == Known::Store && operands(op).next() == cell;
            if is_stored || accessed(op, names) != cell {
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
                words.insert(op.key(), access(op, &mut laid, names)?);
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
fn access<'c>(op: Op<'c>, laid: &mut Option<Laid<'c>>, names: &mut Names) -> Option<Word<'c>> {
    let cell = accessed(op, names)?;
    if names.info(op).known == Known::Load {
        let laid = laid.as_mut()?;
        let result = results(op).next()?;
        if is_memref(type_of(result)) {
            return (cell == laid.cell).then_some(Word::Memref(laid.memref));
        }
        laid.words.insert(result.key());
        return type_of(result)
            .is_index()
            .then_some(Word::Address(laid.memref));
    }
    let stored = operands(op).next()?;
    let mut at = operands(op).skip(2);
    if is_memref(type_of(stored)) {
        // With an index it is one of many.
        if at.next().is_some() {
            return None;
        }
        *laid = Some(Laid {
            memref: stored,
            cell,
            words: FxHashSet::default(),
        });
        return Some(Word::Stored);
    }
    // What is laid out next takes the place of the first words, so no address of this memref stays.
    let is_replaced = at.all(|at| is_one_of(at, ADDRESSES, names));
    let is_word = laid.as_ref()?.words.contains(&stored.key());
    (is_replaced && is_word).then_some(Word::Stored)
}

/// Is a value a constant in a range?
fn is_one_of(val: Val<'_>, range: Range<i64>, names: &mut Names) -> bool {
    let constant = defined_by(val, Known::Constant, names);
    constant
        .and_then(|op| integer(op, "value"))
        .is_some_and(|value| range.contains(&value))
}
