//! Memrefs that are stored only for their address to be compared.
//!
//! Deallocation compares the allocated pointers of memrefs at run time: it stores a memref in bytes on the stack, and loads the
//! first field of the descriptor from there.

use crate::{
    arithmetic::{Binary, Computes, Predicate},
    semantics::Semantics,
};
use memplan_mlir::{
    constants::constant,
    ir::{Identity, Op, Origin, Val, holds_memref, is_memref, origin, results, type_of, users},
    melior::ir::{ShapedTypeLike, r#type::MemRefType},
};

/// Operations that are followed from a condition to a comparison.
const MOST_STEPS: u32 = 8;

/// Whether memrefs are elements of a memref.
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

    /// Whether a boolean depends on whether two memrefs have the same address, as the conditions of deallocations do.
    pub fn compares_addresses(&mut self, flag: Val<'_>) -> bool {
        self.compares_addresses_within(flag, MOST_STEPS)
    }

    fn compares_addresses_within(&mut self, flag: Val<'_>, steps: u32) -> bool {
        let Some(fewer) = steps.checked_sub(1) else {
            return false;
        };
        match self.computes(flag) {
            Some(Computes::Binary(Binary::And | Binary::Or | Binary::Xor, both)) => {
                let mut both = both.into_iter();
                both.any(|one| self.compares_addresses_within(one, fewer))
            }
            Some(Computes::Compare(Predicate::Equal | Predicate::NotEqual, both)) => {
                both.into_iter().all(|one| self.is_address(one))
            }
            _ => false,
        }
    }

    fn is_address(&mut self, number: Val<'_>) -> bool {
        match self.computes(number) {
            Some(Computes::Pointer(_)) => true,
            Some(Computes::Element(from)) => {
                let Some(Origin::Result(view, _)) = origin(from) else {
                    return false;
                };
                let bytes = self.byte_view(view).map(|view| view.source);
                bytes.is_some_and(|bytes| self.are_for_comparisons(bytes))
            }
            _ => false,
        }
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
