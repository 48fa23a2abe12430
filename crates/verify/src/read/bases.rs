//! Bases of memrefs, which deallocation loads from bytes on the stack: they start where the allocation does.
//!
//! That of a slice starts with its arena, in the bytes of another buffer perhaps. So a base may be compared, freed and passed
//! on, but not accessed: then the memref escapes where it is stored.

use super::ProgramReader;
use crate::program::{Action, ValueId, Values};
use memplan_mlir::ir::{Identity, Key, Op, Val};
use rustc_hash::FxHashSet;

/// Stores of memrefs in bytes on the stack, and loads of bases from there.
#[derive(Debug, Default)]
pub struct Bases {
    /// The stores, and the actions by which the memrefs escape.
    stores: Vec<(Key, usize)>,
    /// The loaded bases, and the stores of their memrefs.
    loads: Vec<(ValueId, Key)>,
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

    /// Drops the escapes of memrefs whose bases are not accessed.
    pub(super) fn finish_bases(&mut self) {
        if self.bases.stores.is_empty() {
            return;
        }
        let accessed = match self.bases.loads.is_empty() {
            true => Vec::new(),
            false => self.accessed(),
        };
        let loads = self.bases.loads.iter();
        let escaping: FxHashSet<Key> = loads
            .filter(|(base, _)| accessed[base.index()])
            .map(|(_, store)| *store)
            .collect();
        for (store, escape) in &self.bases.stores {
            if !escaping.contains(store) {
                self.program.actions[*escape].action = Action::Needed(Values::new());
            }
        }
    }

    /// For each value, whether it or a value that it becomes is used otherwise than to free it or to pass it on.
    fn accessed(&self) -> Vec<bool> {
        let program = &self.program;
        let mut sources = vec![Values::new(); program.values.len()];
        let mut open = Vec::new();
        for step in &program.actions {
            match &step.action {
                Action::Alias {
                    result,
                    sources: from,
                } => sources[result.index()].extend(from.iter().copied()),
                // A slice that is freed or escapes is a fault.
                Action::Deallocate(_) | Action::Escape(..) => {}
                action => open.extend(action.uses()),
            }
        }
        for (from, to) in program
            .nodes
            .iter()
            .flat_map(|node| &node.edges)
            .flat_map(|edge| &edge.binds)
        {
            sources[to.index()].push(*from);
        }
        let mut accessed = vec![false; program.values.len()];
        while let Some(value) = open.pop() {
            if !std::mem::replace(&mut accessed[value.index()], true) {
                open.extend_from_slice(&sources[value.index()]);
            }
        }
        accessed
    }
}
