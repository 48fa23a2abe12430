//! Memrefs that are stored in memory: memrefs of memrefs.
//!
//! What memory of memrefs holds is a memref of its own, which no value of the IR is: what is stored there comes to it, and it
//! comes to what is loaded. It comes into being where the value does that stands for the memory, so that what is stored is
//! there for at least as long. Two values that may be one memory hold the same, whichever way control takes one to the other:
//! what is stored through one of them later is loaded through the other. Memory that somebody else may know of (what is an
//! argument, returned, passed to a call, or used by what is not followed) holds what does not go to a region.

use super::RegionReader;
use crate::regions::facts::{Reason, ScopeId, ValueId};
use memplan_mlir::ir::{Type, Val, element_memref};

impl<'c> RegionReader<'c, '_> {
    /// A new memref of such a type holds what?
    pub(super) fn holds(&mut self, mut id: ValueId, mut r#type: Type<'c>, scope: ScopeId) {
        while let Some(element) = element_memref(r#type) {
            let held = self.new_value(scope);
            self.reading.function.held.push(held);
            self.held.insert(id, held);
            (id, r#type) = (held, element);
        }
    }

    /// Both may be one memory, and what they hold.
    pub(super) fn join_ids(&mut self, one: ValueId, other: ValueId) {
        self.reading.function.joined.push((one, other));
        let (mut one, mut other) = (one, other);
        loop {
            match (self.held.get(&one).copied(), self.held.get(&other).copied()) {
                (None, None) => return,
                (Some(inner), Some(outer)) => {
                    let both = [(inner, outer), (outer, inner)];
                    self.reading.function.joined.extend(both);
                    (one, other) = (inner, outer);
                }
                // The same bytes are memrefs to one, and not to the other.
                (Some(held), None) | (None, Some(held)) => return self.stick_from(held),
            }
        }
    }

    /// A memref is read from memory; false if it is not known from which.
    pub(super) fn loads(&mut self, memory: Val<'c>, loaded: Val<'c>) -> bool {
        self.moves(memory, loaded, |held, loaded| (held, loaded))
    }

    /// A memref is written to memory; false if it is not known to which.
    pub(super) fn stores(&mut self, stored: Val<'c>, memory: Val<'c>) -> bool {
        self.moves(memory, stored, |held, stored| (stored, held))
    }

    fn moves(
        &mut self,
        memory: Val<'c>,
        memref: Val<'c>,
        order: impl Fn(ValueId, ValueId) -> (ValueId, ValueId),
    ) -> bool {
        let held = self.id(memory).and_then(|id| self.held.get(&id).copied());
        let (Some(held), Some(memref)) = (held, self.id(memref)) else {
            return false;
        };
        let (from, to) = order(held, memref);
        self.join_ids(from, to);
        true
    }

    /// Somebody else may know of memory: what it holds does not go to a region.
    pub(super) fn stick_held(&mut self, val: Val<'c>) {
        if let Some(id) = self.id(val) {
            self.stick_held_by(id);
        }
    }

    pub(super) fn stick_held_by(&mut self, memory: ValueId) {
        if let Some(held) = self.held.get(&memory).copied() {
            self.stick_from(held);
        }
    }

    fn stick_from(&mut self, held: ValueId) {
        let mut at = Some(held);
        while let Some(held) = at {
            self.reading.function.stuck.push((held, Reason::Stored));
            at = self.held.get(&held).copied();
        }
    }
}
