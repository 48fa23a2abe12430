//! What can be computed from the arguments of the function alone, outside of it, too.

use super::{
    super::{facts::SlotProblem, moves::may_move, sources::Condition},
    Learnt,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{Identity, Key, Origin, Val, block_parent, operands, origin, regions, type_of},
};
use memplan_semantics::{Computes, Semantics};
use rustc_hash::FxHashMap;

/// Largest number of operations that are followed.
const MOST_STEPS: usize = 256;

impl<'c> Learnt<'c> {
    /// Leaves only sizes and conditions ready at the start that can be computed from arguments alone.
    pub fn compute_from_arguments(&mut self, company: &mut SlotProblem) {
        let mut known: FxHashMap<Key, bool> = FxHashMap::default();
        let semantics = &mut self.semantics;
        let mut is_from = |value: Val<'c>| {
            let steps = &mut MOST_STEPS.clone();
            *known
                .entry(value.key())
                .or_insert_with(|| is_from_arguments(value, semantics, steps))
        };
        for candidate in &mut company.candidates {
            let dims = candidate.size.dims.iter();
            let mut dims = dims.map(|dim| self.sources.dims[dim.0 as usize]);
            if !dims.all(&mut is_from) {
                candidate.ready = candidate.ready.max(1);
            }
            let guards = candidate.guards.iter();
            let mut guards = guards.map(|(guard, _)| self.sources.guards[guard.0 as usize]);
            let are_from = guards.all(|guard| match guard {
                Condition::Value(value) => is_from(value),
                Condition::Runs(low, high, _) => is_from(low) && is_from(high),
            });
            if !are_from {
                candidate.guards_ready = candidate.guards_ready.max(1);
            }
        }
    }
}

/// Whether a value is an integer argument of a function, a dimension of an argument, or computed from these by operations
/// that may execute anywhere.
fn is_from_arguments(value: Val<'_>, semantics: &mut Semantics, steps: &mut usize) -> bool {
    let Some(left) = steps.checked_sub(1) else {
        return false;
    };
    *steps = left;
    if integer_width(type_of(value)).is_none() {
        return false;
    }
    match origin(value) {
        Some(Origin::Argument(block, _)) => {
            block_parent(block).is_some_and(|op| semantics.info(op).is_function())
        }
        Some(Origin::Result(op, _)) => {
            if let Some(Computes::Dimension([memref, index])) = semantics.computed(op)
                && semantics.constant(index).is_some()
                && let Some(Origin::Argument(block, _)) = origin(memref)
            {
                return block_parent(block).is_some_and(|op| semantics.info(op).is_function());
            }
            may_move(op)
                && regions(op).next().is_none()
                && operands(op).all(|operand| is_from_arguments(operand, semantics, steps))
        }
        None => false,
    }
}
