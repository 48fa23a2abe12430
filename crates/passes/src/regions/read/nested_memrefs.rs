//! Nested memrefs: memrefs that are stored in memory.
//!
//! The contents of a nested memref are a memref of their own, which no value of the IR stands for. Memory
//! flows to it from each stored memref, and from it to each loaded memref. It is defined in the scope of the
//! value that stands for the memory, so stored memory lives at least as long. If two values may alias, their
//! contents flow in both directions: memory that is stored through one of them may later be loaded through
//! the other.
//!
//! The contents of memory that other code may know are rejected. This is memory that is an argument,
//! returned, passed to a call, or used by an operation that is not followed.

use super::RegionReader;
use crate::regions::facts::{Reason, ScopeId, ValueId};
use memplan_mlir::ir::{Type, Val, element_memref};

impl<'c> RegionReader<'c, '_> {
    /// Creates the memrefs that stand for the contents of a new memref.
    pub(super) fn new_nested(&mut self, mut id: ValueId, mut r#type: Type<'c>, scope: ScopeId) {
        while let Some(element) = element_memref(r#type) {
            let contents = self.new_value(scope);
            self.reading.function.nested_memrefs.push(contents);
            self.nested.insert(id, contents);
            (id, r#type) = (contents, element);
        }
    }

    /// Records that memory flows from one memref to another, and that their contents may alias.
    pub(super) fn add_flow_ids(&mut self, from: ValueId, to: ValueId) {
        self.reading.function.value_flow.push((from, to));
        let (mut from, mut to) = (from, to);
        loop {
            match (
                self.nested.get(&from).copied(),
                self.nested.get(&to).copied(),
            ) {
                (None, None) => return,
                (Some(inner), Some(outer)) => {
                    let both = [(inner, outer), (outer, inner)];
                    self.reading.function.value_flow.extend(both);
                    (from, to) = (inner, outer);
                }
                // The same bytes are memrefs through one value, and other data through the other.
                (Some(contents), None) | (None, Some(contents)) => {
                    return self.reject_from(contents);
                }
            }
        }
    }

    /// Records that a memref is loaded from memory. Returns false if the memory is unknown.
    pub(super) fn add_load(&mut self, memory: Val<'c>, loaded: Val<'c>) -> bool {
        self.add_memory_flow(memory, loaded, |contents, loaded| (contents, loaded))
    }

    /// Records that a memref is stored in memory. Returns false if the memory is unknown.
    pub(super) fn add_store(&mut self, stored: Val<'c>, memory: Val<'c>) -> bool {
        self.add_memory_flow(memory, stored, |contents, stored| (stored, contents))
    }

    fn add_memory_flow(
        &mut self,
        memory: Val<'c>,
        memref: Val<'c>,
        order: impl Fn(ValueId, ValueId) -> (ValueId, ValueId),
    ) -> bool {
        let contents = self.id(memory).and_then(|id| self.nested.get(&id).copied());
        let (Some(contents), Some(memref)) = (contents, self.id(memref)) else {
            return false;
        };
        let (from, to) = order(contents, memref);
        self.add_flow_ids(from, to);
        true
    }

    /// Rejects the contents of memory that other code may know.
    pub(super) fn reject_nested(&mut self, val: Val<'c>) {
        if let Some(id) = self.id(val) {
            self.reject_nested_of(id);
        }
    }

    pub(super) fn reject_nested_of(&mut self, memory: ValueId) {
        if let Some(contents) = self.nested.get(&memory).copied() {
            self.reject_from(contents);
        }
    }

    fn reject_from(&mut self, contents: ValueId) {
        let mut at = Some(contents);
        while let Some(contents) = at {
            self.reading
                .function
                .rejected
                .push((contents, Reason::Stored));
            at = self.nested.get(&contents).copied();
        }
    }
}
