//! Captures memory that asynchronous operations may use after the function returns.

use super::{Started, Tracer};
use crate::asynchronous::Pending;
use memplan_mlir::ir::{Op, operands};
use memplan_semantics::graph::ControlGraph;

impl<'c> Tracer<'c, '_> {
    /// Records an asynchronous operation.
    pub(super) fn goes_on(&mut self, op: Op<'c>) {
        let used = operands(op).filter(|value| self.refers(*value)).collect();
        self.started.push(Started { op, used });
    }

    /// Captures memory that may be in use after the function returns.
    pub(super) fn pending(&mut self, control: &ControlGraph<'c>) {
        if self.started.is_empty() {
            return;
        }
        let pending = Pending::of(control, self.semantics, self.question.describe);
        for started in std::mem::take(&mut self.started) {
            if pending.until(started.op).is_none() {
                for value in started.used {
                    self.captures(value);
                }
            }
        }
    }
}
