//! Descriptors of memrefs in bytes on the stack, as deallocation writes them.
//!
//! The first word of a descriptor is the allocated pointer, and the second one is the aligned pointer, where data starts.
//! Deallocation stores a memref in the bytes, and loads the first word to compare it. Or it stores the first word as the
//! second one and loads the memref again: that is the *base* of the stored memref, which starts where its allocation does.

use crate::{arithmetic::Computes, form::Form, semantics::Semantics};
use memplan_mlir::{
    constants::constant,
    copy::integer_width,
    ir::{
        Identity, Key, Op, Origin, Val, blocks, element_memref, element_of, is_before, is_memref,
        operands, origin, parent, parent_block, regions, results, terminator, type_of, users,
    },
    layout::{has_identity_layout, rank},
    melior::ir::TypeLike,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Casts and scopes of stack memory through which an address is followed.
const MOST_STEPS: u32 = 8;

/// The memref whose base a load returns, and the operation that stored it.
#[derive(Clone, Copy, Debug)]
pub struct StoredBase<'c> {
    /// The store.
    pub store: Op<'c>,
    /// The stored memref.
    pub memref: Val<'c>,
}

/// Bytes in which memrefs are stored for nothing but to compare their allocated pointers, and to load their bases.
#[derive(Clone, Debug, Default)]
pub struct StoredDescriptors<'c> {
    bases: FxHashMap<Key, StoredBase<'c>>,
}

impl<'c> StoredDescriptors<'c> {
    /// The memref whose base an operation loads.
    pub fn base(&self, load: Op<'c>) -> Option<StoredBase<'c>> {
        self.bases.get(&load.key()).copied()
    }

    /// Whether allocated pointers are only compared: no memref is loaded again.
    pub fn are_only_compared(&self) -> bool {
        self.bases.is_empty()
    }
}

/// An access to the bytes.
#[derive(Clone, Copy)]
enum Access<'c> {
    StoresMemref(Val<'c>),
    LoadsMemref,
    LoadsFirst(Val<'c>),
    StoresSecond(Val<'c>),
    /// Whatever is in the regions of the operation, or a store of something else than a descriptor at the start.
    Other,
}

/// The last memref that was stored in a block.
struct LastStored<'c> {
    base: StoredBase<'c>,
    /// The first word, if it was loaded since then.
    first: Vec<Val<'c>>,
    /// The second word is now the first one.
    is_base: bool,
}

impl Semantics {
    /// The bytes in which an operation stores a memref, if it stores one at their start and does nothing else.
    pub fn descriptor_bytes<'c>(&mut self, store: Op<'c>) -> Option<Val<'c>> {
        let element = self.stored_element(store)?;
        let is_one = element.indices.is_empty() && is_memref(type_of(element.value));
        is_one.then_some(self.viewed_start(element.memref)?)
    }

    /// The bytes from which an operation loads a memref at their start.
    pub fn loaded_descriptor_bytes<'c>(&mut self, load: Op<'c>) -> Option<Val<'c>> {
        let Some(Computes::Element(from)) = self.computed(load) else {
            return None;
        };
        let is_one = operands(load).count() == 1 && element_memref(type_of(from)).is_some();
        is_one.then_some(self.viewed_start(from)?)
    }

    /// The descriptors in bytes; `None` if the bytes have any other use. A base is only loaded after its memref was stored
    /// and its pointer moved in the same block, and nothing writes the bytes in between.
    pub fn stored_descriptors<'c>(&mut self, bytes: Val<'c>) -> Option<StoredDescriptors<'c>> {
        let Some(Origin::Result(allocation, _)) = origin(bytes) else {
            return None;
        };
        self.of(allocation).plain_allocation()?;
        let mut accesses = Vec::new();
        for user in users(bytes) {
            let view = self.byte_view(user)?;
            let is_start = view.source == bytes && constant(view.shift) == Some(0);
            for user in is_start.then(|| users(view.result))? {
                accesses.push((user, self.descriptor_access(user, view.result, bytes)?));
            }
        }
        let moves =
            |access: &Access<'c>| matches!(access, Access::StoresSecond(_) | Access::LoadsMemref);
        if !accesses.iter().any(|(_, access)| moves(access)) {
            return Some(StoredDescriptors::default());
        }
        // Code that runs at the same time has bytes of its own.
        let mut all = accesses.iter();
        if !all.all(|(op, _)| self.runs_in_order(*op, allocation)) {
            return None;
        }
        Some(StoredDescriptors {
            bases: bases(accesses, allocation)?,
        })
    }

    /// The bytes at whose start a view begins.
    pub(crate) fn viewed_start<'c>(&mut self, view: Val<'c>) -> Option<Val<'c>> {
        let Some(Origin::Result(view, _)) = origin(view) else {
            return None;
        };
        self.byte_view(view).map(|view| view.source)
    }

    /// How an operation accesses a view of the bytes.
    fn descriptor_access<'c>(
        &mut self,
        op: Op<'c>,
        view: Val<'c>,
        bytes: Val<'c>,
    ) -> Option<Access<'c>> {
        let is_of_memrefs = element_memref(type_of(view)).is_some();
        if let Some(element) = self.stored_element(op) {
            if element.memref != view || element.value == view {
                return None;
            }
            let is_second = is_words(view) && element.indices.first().is_some_and(|at| is(*at, 1));
            return match is_of_memrefs {
                // The first word of an unranked memref is its rank.
                true if element.indices.is_empty() && rank(type_of(element.value)).is_some() => {
                    Some(Access::StoresMemref(element.value))
                }
                true => Some(Access::Other),
                false => is_second.then_some(Access::StoresSecond(element.value)),
            };
        }
        let (Some(Computes::Element(_)), Some(loaded)) = (self.computed(op), results(op).next())
        else {
            return None;
        };
        if is_of_memrefs {
            return (rank(type_of(view)) == Some(0)).then_some(Access::LoadsMemref);
        }
        let is_first = is_words(view) && operands(op).skip(1).all(|at| is(at, 0));
        let mut uses = users(loaded);
        let is_known = is_first
            && uses.all(|user| self.compares(user, loaded, MOST_STEPS) || self.moves(user, bytes));
        is_known.then_some(Access::LoadsFirst(loaded))
    }

    /// Whether an operation compares a number, or passes it on to operations that do.
    fn compares<'c>(&mut self, op: Op<'c>, number: Val<'c>, steps: u32) -> bool {
        let Some(fewer) = steps.checked_sub(1) else {
            return false;
        };
        let passed: SmallVec<[Val<'c>; 2]> = match self.computed(op) {
            Some(Computes::Compare(..)) => return true,
            Some(Computes::Cast(..)) => results(op).collect(),
            _ => {
                let pairs = self.left_scope(op);
                let pairs = pairs.iter().filter(|(from, _)| *from == number);
                pairs.map(|(_, to)| *to).collect()
            }
        };
        !passed.is_empty()
            && passed
                .iter()
                .all(|passed| users(*passed).all(|user| self.compares(user, *passed, fewer)))
    }

    /// Whether an operation stores an element in these bytes.
    fn moves<'c>(&mut self, op: Op<'c>, bytes: Val<'c>) -> bool {
        let stored = self.stored_element(op).map(|element| element.memref);
        stored.is_some_and(|view| self.viewed_start(view) == Some(bytes))
    }

    /// The number that is the same address as this one, before casts that keep its bits, and in the scope of stack memory that it
    /// has left.
    pub fn same_address<'c>(&mut self, number: Val<'c>) -> Val<'c> {
        let mut number = number;
        for _ in 0..MOST_STEPS {
            let Some(same) = self.passed_address(number) else {
                break;
            };
            number = same;
        }
        number
    }

    fn passed_address<'c>(&mut self, number: Val<'c>) -> Option<Val<'c>> {
        let is_wide = |number: Val<'c>| integer_width(type_of(number)) >= Some(64);
        if let Some(Computes::Cast(_, of)) = self.computes(number) {
            return (is_wide(number) && is_wide(of)).then_some(of);
        }
        let Some(Origin::Result(scope, _)) = origin(number) else {
            return None;
        };
        let mut ends = regions(scope).flat_map(blocks);
        let (end, None) = (terminator(ends.next()?)?, ends.next()) else {
            return None;
        };
        let pairs = self.left_scope(end);
        let pair = pairs.iter().find(|(_, to)| *to == number);
        pair.map(|(from, _)| *from)
    }

    /// The values that leave a scope of stack memory at its end, and those that they become.
    fn left_scope<'c>(&mut self, end: Op<'c>) -> Vec<(Val<'c>, Val<'c>)> {
        let scope = parent(end).filter(|scope| self.form(*scope) == Form::Scope);
        if scope.is_none() || !self.info(end).is_region_terminator() {
            return Vec::new();
        }
        let edges = self.terminator_edges(end).into_iter().flatten();
        edges.flat_map(|edge| edge.values).collect()
    }
}

/// Whether a memref has the words of a descriptor as its elements.
fn is_words(view: Val<'_>) -> bool {
    let r#type = type_of(view);
    let is_index = element_of(r#type).is_some_and(|element| element.is_index());
    is_index && has_identity_layout(r#type) && rank(r#type).is_some_and(|rank| rank <= 1)
}

fn is(value: Val<'_>, number: i64) -> bool {
    constant(value) == Some(number)
}

/// The memrefs whose bases are loaded, by the loads; `None` if something else is loaded, or another pointer is stored.
fn bases<'c>(
    mut accesses: Vec<(Op<'c>, Access<'c>)>,
    allocation: Op<'c>,
) -> Option<FxHashMap<Key, StoredBase<'c>>> {
    let top = parent(allocation).map(|op| op.key());
    for at in 0..accesses.len() {
        let mut around = parent(accesses[at].0);
        while let Some(op) = around.filter(|op| Some(op.key()) != top) {
            accesses.push((op, Access::Other));
            around = parent(op);
        }
    }
    let mut blocks: FxHashMap<Key, Vec<(Op<'c>, Access<'c>)>> = FxHashMap::default();
    for (op, access) in accesses {
        let in_block = blocks.entry(parent_block(op)?.key()).or_default();
        in_block.push((op, access));
    }
    let mut bases = FxHashMap::default();
    for mut accesses in blocks.into_values() {
        accesses.sort_by(|(one, _), (other, _)| match is_before(*one, *other) {
            true => Ordering::Less,
            false if one.key() == other.key() => Ordering::Equal,
            false => Ordering::Greater,
        });
        bases_in_block(&accesses, &mut bases)?;
    }
    Some(bases)
}

fn bases_in_block<'c>(
    accesses: &[(Op<'c>, Access<'c>)],
    bases: &mut FxHashMap<Key, StoredBase<'c>>,
) -> Option<()> {
    let mut last: Option<LastStored<'c>> = None;
    for (op, access) in accesses {
        match *access {
            Access::StoresMemref(memref) => {
                let base = StoredBase { store: *op, memref };
                let (first, is_base) = (Vec::new(), false);
                last = Some(LastStored {
                    base,
                    first,
                    is_base,
                });
            }
            Access::LoadsFirst(number) => {
                if let Some(last) = &mut last {
                    last.first.push(number);
                }
            }
            Access::StoresSecond(number) => {
                let last = last.as_mut()?;
                last.is_base = last.first.contains(&number).then_some(true)?;
            }
            Access::LoadsMemref => {
                let last = last.as_ref().filter(|last| last.is_base)?;
                let loaded = results(*op).next().map(type_of);
                (loaded == Some(type_of(last.base.memref))).then_some(())?;
                bases.insert(op.key(), last.base);
            }
            Access::Other => last = None,
        }
    }
    Some(())
}
