//! Asynchronous operations whose end control flow waits for, before the scopes of the memory that they use
//! end.
//!
//! The operations that wait are then uses of that memory: one of them is between the asynchronous operation
//! and the end of each of these scopes.

use super::RegionReader;
use crate::regions::facts::{Reason, ValueId};
use memplan_mlir::ir::{Identity, Op};
use memplan_semantics::{OpMemory, Semantics};
use memplan_summaries::{Pending, Until};
use std::{ops::Range, rc::Rc};

impl<'c> RegionReader<'c, '_> {
    /// Whether it is known until when an asynchronous operation is pending. Other operations are never
    /// pending.
    pub(super) fn is_waited_for(&mut self, op: Op<'c>, memory: &OpMemory) -> bool {
        if memory.start.is_none() {
            return true;
        }
        let until = self.pending_operations().until(op).is_some();
        if until {
            self.open_asynchronous.push(op);
        }
        until
    }

    fn pending_operations(&mut self) -> Rc<Pending<'c>> {
        let (graph, semantics) = (self.graph, &mut *self.semantics);
        let describe = |op: Op<'_>, semantics: &mut Semantics| semantics.of(op);
        let pending = self
            .pending
            .get_or_insert_with(|| Rc::new(Pending::of(graph, semantics, describe)));
        Rc::clone(pending)
    }

    /// The memory of these recorded uses stays in use until control flow has waited for `op`.
    pub(super) fn extend_uses_to_waits(&mut self, op: Op<'c>, recorded: Range<usize>) {
        let pending = self.pending_operations();
        let Some(until) = pending.until(op) else {
            return;
        };
        for at in recorded {
            let (value, _) = self.reading.function.uses[at];
            if self.scope_ends_before_wait(value, until) {
                self.reject_id(value, Reason::Asynchronous);
            }
            for wait in &until.waits {
                // If the wait was read before, a loop that contains both leads to it, and the start is the
                // last use.
                self.used_until_wait
                    .entry(wait.key())
                    .or_default()
                    .push(value);
            }
        }
    }

    /// Whether the scope that defines a memref ends while an operation is pending.
    fn scope_ends_before_wait(&self, value: ValueId, until: &Until<'c>) -> bool {
        let scope = self.reading.function.value_scopes[value.index()];
        until.left.contains(self.regions[scope.index()])
    }
}
