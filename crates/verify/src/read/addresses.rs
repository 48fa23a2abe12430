//! Addresses of buffers that stay in their place: they may be used until the function is left.

use super::Reader;
use crate::program::{Action, Derivation, Escape, OpId, ValueId, Values};
use memplan_mlir::{build::integers_of, ir::Op};
use memplan_semantics::attributes::ENDED;

/// Values that stand for addresses, and the steps at which they end.
#[derive(Debug, Default)]
pub struct Addresses {
    values: Values,
    ends: Vec<usize>,
}

impl Addresses {
    /// Whether none was taken so far.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<'c> Reader<'c> {
    /// The address of what a value refers to is taken: from here on, the buffer may be written at any time.
    pub(super) fn address(&mut self, op: OpId, value: ValueId, how: Escape) {
        self.step(op, Action::Escape(value, how));
        let address = ValueId(self.program.values.len() as u32);
        self.program.values.push(Derivation::Root);
        self.addresses.values.push(address);
        let result = address;
        let sources = Values::from_slice(&[value]);
        self.step(op, Action::Alias { result, sources });
        self.step(
            op,
            Action::access(Values::new(), Values::from_slice(&[address])),
        );
    }

    /// The function is left here.
    pub(super) fn end_of_addresses(&mut self, op: OpId) {
        self.addresses.ends.push(self.program.steps.len());
        self.step(op, Action::Needed(Values::new()));
    }

    /// Buffers that have ended in front of an operation.
    pub(super) fn addresses_ended(&mut self, op: Op<'c>) {
        for buffer in integers_of(op, ENDED).into_iter().flatten() {
            self.addresses.ends.push(self.program.steps.len());
            let op = self.id(op);
            self.step(op, Action::Ended(Values::new(), buffer));
        }
    }

    /// When all addresses are known: each is needed until the function is left.
    pub(super) fn settle_addresses(&mut self) {
        for end in &self.addresses.ends {
            match &mut self.program.steps[*end].action {
                Action::Needed(values) | Action::Ended(values, _) => {
                    values.clone_from(&self.addresses.values);
                }
                _ => {}
            }
        }
    }
}
