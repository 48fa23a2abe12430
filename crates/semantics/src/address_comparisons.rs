//! Conditions that compare addresses of memrefs.

use crate::{
    arithmetic::{Binary, Computes, Predicate},
    semantics::Semantics,
};
use memplan_mlir::ir::Val;

/// Operations that are followed from a condition to a comparison.
const MOST_STEPS: u32 = 8;

impl Semantics {
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
                let descriptors = self
                    .viewed_start(from)
                    .and_then(|bytes| self.stored_descriptors(bytes));
                descriptors.is_some_and(|all| all.are_only_compared())
            }
            _ => false,
        }
    }
}
