//! The descriptors of memrefs in bytes on the stack, by the bytes.

use memplan_mlir::ir::{Identity, Key, Op, Val};
use memplan_semantics::{Semantics, StoredBase, StoredDescriptors};
use rustc_hash::FxHashMap;

/// What was found of bytes so far.
#[derive(Default)]
pub struct Descriptors<'c> {
    known: FxHashMap<Key, Option<StoredDescriptors<'c>>>,
}

impl<'c> Descriptors<'c> {
    fn of(&mut self, bytes: Val<'c>, semantics: &mut Semantics) -> Option<&StoredDescriptors<'c>> {
        let known = self.known.entry(bytes.key());
        let known = known.or_insert_with(|| semantics.stored_descriptors(bytes));
        known.as_ref()
    }

    /// Whether an operation stores a memref in bytes only to compare its allocated pointer, or to load its base.
    pub fn stores(&mut self, op: Op<'c>, semantics: &mut Semantics) -> bool {
        let bytes = semantics.descriptor_bytes(op);
        bytes.is_some_and(|bytes| self.of(bytes, semantics).is_some())
    }

    /// The memref whose base an operation loads.
    pub fn base(&mut self, load: Op<'c>, semantics: &mut Semantics) -> Option<StoredBase<'c>> {
        let bytes = semantics.loaded_descriptor_bytes(load)?;
        self.of(bytes, semantics)?.base(load)
    }
}
