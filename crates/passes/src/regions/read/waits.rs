//! Asynchronous operations that control waits for before the scopes end that what they use is of.
//!
//! The operations that control waits with then stand between such an operation and the end of every scope that what it uses is
//! of, and are uses of all that.

use super::RegionReader;
use crate::regions::facts::{Reason, ValueId};
use memplan_mlir::ir::{Identity, Op};
use memplan_semantics::{OpMemory, Semantics};
use memplan_summaries::{Pending, Until};
use std::{ops::Range, rc::Rc};

impl<'c> RegionReader<'c, '_> {
    /// Is it known until when what an operation starts is pending?
    pub(super) fn is_over(&mut self, op: Op<'c>, memory: &OpMemory) -> bool {
        if memory.start.is_none() {
            return true;
        }
        let until = self.all_pending().until(op).is_some();
        if until {
            self.started.push(op);
        }
        until
    }

    fn all_pending(&mut self) -> Rc<Pending<'c>> {
        let (graph, semantics) = (self.graph, &mut *self.semantics);
        let describe = |op: Op<'_>, semantics: &mut Semantics| semantics.of(op);
        let pending = self
            .pending
            .get_or_insert_with(|| Rc::new(Pending::of(graph, semantics, describe)));
        Rc::clone(pending)
    }

    /// What was used, as far as it is noted in these places, is used until control has waited for `op`.
    pub(super) fn uses_until_waits(&mut self, op: Op<'c>, noted: Range<usize>) {
        let pending = self.all_pending();
        let Some(until) = pending.until(op) else {
            return;
        };
        for at in noted {
            let (value, _) = self.reading.function.uses[at];
            if self.is_left(value, until) {
                self.stick_id(value, Reason::Asynchronous);
            }
            for wait in &until.waits {
                // Of a wait that was read before, control comes to it by a loop that holds both, and the start is the last use.
                self.awaited.entry(wait.key()).or_default().push(value);
            }
        }
    }

    /// Does the scope that a memref comes into being in end while an operation is pending?
    fn is_left(&self, value: ValueId, until: &Until<'c>) -> bool {
        let scope = self.reading.function.values[value.index()];
        until.left.contains(self.regions[scope.index()])
    }
}
