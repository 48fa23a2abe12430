//! Bases of memrefs, which start where the allocation does: deallocation compares and frees them.
//!
//! It loads them from bytes on the stack, or passes them on beside the memrefs. That of a slice starts with its arena, in the bytes
//! of another buffer perhaps: a view of the arena without a number is one. So a base may be compared, freed and passed on, but
//! not accessed. Where one is, the memref escapes that is stored in the bytes, and the view whose address is compared.

use super::ProgramReader;
use crate::program::{Action, ArenaId, BufferName, Escape, OpId, SliceId, ValueId, Values};
use memplan_mlir::ir::{Identity, Key, Op, Val};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Stores of memrefs in bytes on the stack, loads of bases from there, and comparisons of addresses.
#[derive(Debug, Default)]
pub struct Bases {
    /// The stores, and the actions by which the memrefs escape.
    stores: Vec<(Key, usize)>,
    /// The loaded bases, and the stores of their memrefs.
    loads: Vec<(ValueId, Key)>,
    /// Values whose addresses are compared, and the actions by which they escape.
    compared: Vec<(ValueId, Range<usize>)>,
}

impl<'c> ProgramReader<'c, '_> {
    /// Records that the last action is the escape of a stored memref.
    pub(super) fn stored_descriptor(&mut self, op: Op<'c>) {
        if self.descriptors.stores(op, &mut self.semantics) {
            let escape = self.program.actions.len() - 1;
            self.bases.stores.push((op.key(), escape));
        }
    }

    /// The memref whose base an operation loads as `result`.
    pub(super) fn loaded_base(&mut self, op: Op<'c>, result: ValueId) -> Option<Val<'c>> {
        let base = self.descriptors.base(op, &mut self.semantics)?;
        self.bases.loads.push((result, base.store.key()));
        Some(base.memref)
    }

    /// Records that the address of a value is compared.
    pub(super) fn compared_address(&mut self, op: OpId, value: ValueId) {
        let first = self.program.actions.len();
        self.address(op, value, Escape::Pointer);
        let actions = first..self.program.actions.len();
        self.bases.compared.push((value, actions));
    }

    /// Drops the escapes of memrefs whose bases are not accessed, and of values whose addresses are those of no other memory.
    pub(super) fn finish_bases(&mut self) {
        if self.bases.stores.is_empty() && self.bases.compared.is_empty() {
            return;
        }
        let flow = self.forwarded();
        let accessed = self.accessed(&flow);
        let loads = self.bases.loads.iter();
        let escaping: FxHashSet<Key> = loads
            .filter(|(base, _)| accessed[base.index()])
            .map(|(_, store)| *store)
            .collect();
        let stores = self.bases.stores.iter();
        for (_, escape) in stores.filter(|(store, _)| !escaping.contains(store)) {
            if let Action::Escape(_, kind) = &mut self.program.actions[*escape].action {
                *kind = Escape::Allocation;
            }
        }
        let shared = self.may_share_address(&flow, &accessed);
        let compared = self.bases.compared.iter();
        let compared: Vec<_> = compared
            .filter(|(value, _)| !shared[value.index()])
            .collect();
        for at in compared.iter().flat_map(|(_, actions)| actions.clone()) {
            self.program.actions[at].action = Action::Needed(Values::new());
        }
        for (value, actions) in compared {
            let action = Action::Escape(*value, Escape::Compared);
            self.program.actions[actions.start].action = action;
        }
    }

    /// The actions that are not part of a comparison of addresses.
    fn other_actions(&self) -> impl Iterator<Item = &Action> {
        let compared = self.bases.compared.iter();
        let ends = compared.map(|(_, actions)| actions.clone());
        let starts = std::iter::once(0).chain(ends.clone().map(|actions| actions.end));
        let count = self.program.actions.len();
        let others = starts.zip(ends.map(|actions| actions.start).chain([count]));
        others
            .flat_map(|(start, end)| &self.program.actions[start..end])
            .map(|step| &step.action)
    }

    /// Pairs of values of which the second one may be the first one.
    fn forwarded(&self) -> Vec<(ValueId, ValueId)> {
        let mut pairs = Vec::new();
        for action in self.other_actions() {
            if let Action::Alias { result, sources } = action {
                pairs.extend(sources.iter().map(|source| (*source, *result)));
            }
        }
        let edges = self.program.nodes.iter().flat_map(|node| &node.edges);
        pairs.extend(edges.flat_map(|edge| &edge.binds));
        pairs
    }

    /// For each value, whether it or a value that it becomes is used otherwise than to free it, to compare it or to pass it on.
    fn accessed(&self, flow: &[(ValueId, ValueId)]) -> Vec<bool> {
        let mut open = Vec::new();
        for action in self.other_actions() {
            match action {
                // A slice that is freed or escapes is a fault.
                Action::Alias { .. } | Action::Deallocate(_) | Action::Escape(..) => {}
                action => open.extend(action.uses()),
            }
        }
        let back = flow.iter().map(|(from, to)| (*to, *from));
        spread(self.program.values.len(), back, open)
    }

    /// For each value, whether it may refer to a slice that is no base, and that has bytes or the start of another one.
    fn may_share_address(&self, flow: &[(ValueId, ValueId)], accessed: &[bool]) -> Vec<bool> {
        let slices = &self.program.slices;
        let births = self.other_actions().filter_map(|action| match action {
            Action::Birth { slice, result, .. } => Some((*slice, *result)),
            _ => None,
        });
        let births: Vec<(SliceId, ValueId)> = births
            .filter(|(slice, result)| {
                let buffer = slices[slice.index()].buffer;
                !matches!(buffer, BufferName::View(_)) || accessed[result.index()]
            })
            .collect();
        let mut buffers: Vec<SliceId> = births.iter().map(|(slice, _)| *slice).collect();
        buffers.sort_unstable();
        buffers.dedup();
        // By their starts: a slice that meets an earlier one meets the bytes from the first start to the last end so far.
        let mut slots: Vec<(ArenaId, Range<u64>, SliceId)> = Vec::new();
        for slice in buffers {
            let place = &slices[slice.index()];
            let all = place.slots.iter();
            slots.extend(all.map(|slot| (place.arena, slot.clone(), slice)));
        }
        slots.sort_unstable_by_key(|(arena, slot, slice)| (*arena, slot.start, slot.end, *slice));
        let mut shared: FxHashSet<SliceId> = FxHashSet::default();
        let mut last: Option<(ArenaId, Range<u64>, SliceId)> = None;
        for (arena, slot, slice) in slots {
            let place = &slices[slice.index()];
            if place.slots.len() != 1 || !place.places.is_empty() || slot.is_empty() {
                shared.insert(slice);
            }
            let mut end = slot.end;
            if let Some((of, before, other)) = &last
                && *of == arena
            {
                if slot.start < before.end || slot.start == before.start {
                    shared.extend([slice, *other]);
                }
                end = end.max(before.end);
            }
            last = Some((arena, slot.start..end, slice));
        }
        let born = births.iter().filter(|(slice, _)| shared.contains(slice));
        let born = born.map(|(_, result)| *result).collect();
        spread(self.program.values.len(), flow.iter().copied(), born)
    }
}

/// The values to which pairs lead from some.
fn spread(
    count: usize,
    pairs: impl Iterator<Item = (ValueId, ValueId)>,
    mut open: Vec<ValueId>,
) -> Vec<bool> {
    let mut next = vec![Values::new(); count];
    for (from, to) in pairs {
        next[from.index()].push(to);
    }
    let mut reached = vec![false; count];
    while let Some(value) = open.pop() {
        if !std::mem::replace(&mut reached[value.index()], true) {
            open.extend_from_slice(&next[value.index()]);
        }
    }
    reached
}
