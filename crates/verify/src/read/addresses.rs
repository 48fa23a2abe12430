//! Addresses of pinned buffers: the memory may be used through them until the function returns.

use super::ProgramReader;
use crate::program::{Action, Derivation, Escape, OpId, ValueId, Values};
use memplan_mlir::{build::integers_of, ir::Op};
use memplan_semantics::attributes::ENDED;

/// Values whose address was taken, and the actions before which the function returns.
#[derive(Debug, Default)]
pub struct Addresses {
    values: Values,
    ends: Vec<usize>,
}

impl Addresses {
    /// Whether no address was taken so far.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<'c> ProgramReader<'c, '_> {
    /// Records that the address of a value's memory is taken: from here on, the buffer may be written at any time.
    pub(super) fn address(&mut self, op: OpId, value: ValueId, kind: Escape) {
        self.action(op, Action::Escape(value, kind));
        let address = ValueId(self.program.values.len() as u32);
        self.program.values.push(Derivation::Root);
        self.addresses.values.push(address);
        let result = address;
        let sources = Values::from_slice(&[value]);
        self.action(op, Action::Alias { result, sources });
        self.action(
            op,
            Action::access(Values::new(), Values::from_slice(&[address])),
        );
    }

    /// Records an exit of the function.
    pub(super) fn end_of_addresses(&mut self, op: OpId) {
        self.addresses.ends.push(self.program.actions.len());
        self.action(op, Action::Needed(Values::new()));
    }

    /// Records the buffers that have ended before an operation.
    pub(super) fn addresses_ended(&mut self, op: Op<'c>) {
        for buffer in integers_of(op, ENDED).into_iter().flatten() {
            self.addresses.ends.push(self.program.actions.len());
            let op = self.id(op);
            self.action(op, Action::Ended(Values::new(), buffer));
        }
    }

    /// Completes the exits once all addresses are known: each address is needed until the function returns.
    pub(super) fn finish_addresses(&mut self) {
        for end in &self.addresses.ends {
            match &mut self.program.actions[*end].action {
                Action::Needed(values) | Action::Ended(values, _) => {
                    values.clone_from(&self.addresses.values);
                }
                _ => {}
            }
        }
    }
}
