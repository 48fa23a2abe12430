//! Memrefs that are stored only for their address to be compared.
//!
//! Deallocation compares the allocated pointers of memrefs at run time: it stores a memref in bytes on the stack, and loads the
//! first field of the descriptor from there.

use crate::{arithmetic::Computes, semantics::Semantics};
use memplan_mlir::{
    constants::constant,
    ir::{Identity, Op, Origin, Val, holds_memref, is_memref, origin, results, type_of, users},
    melior::ir::{ShapedTypeLike, r#type::MemRefType},
};

/// The element type of a memref.
fn holds_memrefs(memref: Val<'_>) -> bool {
    let element = MemRefType::try_from(type_of(memref)).map(|memref| memref.element());
    element.is_ok_and(holds_memref)
}

impl Semantics {
    /// The bytes in which an operation stores a memref, if it stores one at their start and does nothing else.
    pub fn stored_for_comparison<'c>(&mut self, op: Op<'c>) -> Option<Val<'c>> {
        let element = self.stored_element(op)?;
        let Some(Origin::Result(view, _)) = origin(element.memref) else {
            return None;
        };
        let view = self.byte_view(view)?;
        let is_one = element.indices.is_empty() && is_memref(type_of(element.value));
        is_one.then_some(view.source)
    }

    /// Whether bytes serve only to compare addresses: memrefs are stored in views of them, only numbers are loaded, and these
    /// are only compared. No memref that is stored there is known elsewhere.
    pub fn are_for_comparisons(&mut self, bytes: Val<'_>) -> bool {
        let Some(Origin::Result(allocation, _)) = origin(bytes) else {
            return false;
        };
        self.of(allocation).plain_allocation().is_some()
            && users(bytes).all(|user| self.is_view_for_comparisons(user, bytes))
    }

    fn is_view_for_comparisons<'c>(&mut self, op: Op<'c>, bytes: Val<'c>) -> bool {
        let Some(view) = self.byte_view(op) else {
            return false;
        };
        let is_start = view.source == bytes && constant(view.shift) == Some(0);
        let is_stored = holds_memrefs(view.result);
        is_start
            && users(view.result).all(|user| match is_stored {
                true => {
                    let element = self.stored_element(user);
                    element.is_some_and(|one| one.value.key() != view.result.key())
                }
                false => self.only_compares(user),
            })
    }

    /// Whether an operation loads a number that is only compared.
    fn only_compares(&mut self, load: Op<'_>) -> bool {
        let is_load = matches!(self.computed(load), Some(Computes::Element(_)));
        is_load
            && results(load)
                .flat_map(users)
                .all(|user| matches!(self.computed(user), Some(Computes::Compare(..))))
    }
}
