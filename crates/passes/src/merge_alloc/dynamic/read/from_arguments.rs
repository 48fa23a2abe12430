//! What can be computed from the arguments of the function alone, outside of it, too.

use super::{
    super::{
        facts::{Candidate, SlotProblem},
        moves::may_move,
        sources::Condition,
    },
    Learnt,
};
use memplan_mlir::{
    copy::integer_width,
    ir::{Block, Identity, Key, Origin, Val, block_parent, operands, origin, regions, type_of},
};
use memplan_semantics::{Computes, Semantics};
use rustc_hash::FxHashMap;

/// The most operations that may compute the size of an arena in an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeOps {
    /// Those that compute sizes of buffers.
    pub sizes: usize,
    /// With those that place the buffers.
    pub all: usize,
    /// Whether all that is of dynamic size has to be in the argument, whenever the function is called: its callers hold the
    /// argument beside what is not.
    pub takes_all: bool,
}

impl SizeOps {
    /// Any number.
    pub const ANY: Self = Self {
        sizes: usize::MAX,
        all: usize::MAX,
        takes_all: false,
    };
}

/// Number of operations that place a buffer, about.
const OPS_OF_A_BUFFER: usize = 16;

impl<'c> Learnt<'c> {
    /// Leaves only sizes and conditions ready at the start that can be computed from arguments alone. Whether the arena's
    /// size takes no more than `most` operations to compute.
    pub fn compute_from_arguments(&mut self, company: &mut SlotProblem, most: SizeOps) -> bool {
        let mut known: FxHashMap<Key, bool> = FxHashMap::default();
        let semantics = &mut self.semantics;
        let mut is_from = |value: Val<'c>| is_from_arguments(value, semantics, &mut known);
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
        let is_there = |one: &Candidate| {
            one.certain && one.guards.is_empty() && (one.ready, one.guards_ready) == (0, 0)
        };
        if most.takes_all && !company.candidates.iter().all(is_there) {
            return false;
        }
        let placed = company.candidates.len().saturating_mul(OPS_OF_A_BUFFER);
        known.len() <= most.sizes && placed.saturating_add(known.len()) <= most.all
    }
}

/// Whether a value is an integer argument of a function, a dimension of an argument, or computed from these by operations
/// that may execute anywhere. `known` has the answers so far.
fn is_from_arguments<'c>(
    value: Val<'c>,
    semantics: &mut Semantics,
    known: &mut FxHashMap<Key, bool>,
) -> bool {
    // A value that depends on itself, as in unreachable code, is not.
    let mut open = vec![(value, false)];
    while let Some((value, is_ready)) = open.pop() {
        if is_ready {
            if let Some(Origin::Result(op, _)) = origin(value) {
                let are = operands(op).all(|operand| known.get(&operand.key()) == Some(&true));
                known.insert(value.key(), are);
            }
            continue;
        }
        if known.contains_key(&value.key()) {
            continue;
        }
        let is_from = match origin(value) {
            _ if integer_width(type_of(value)).is_none() => false,
            Some(Origin::Argument(block, _)) => is_entry(block, semantics),
            Some(Origin::Result(op, _)) => {
                let computed = semantics.computed(op);
                if let Some(Computes::Dimension([memref, index])) = computed
                    && semantics.constant(index).is_some()
                    && let Some(Origin::Argument(block, _)) = origin(memref)
                {
                    is_entry(block, semantics)
                } else if may_move(op) && regions(op).next().is_none() {
                    open.push((value, true));
                    open.extend(operands(op).map(|operand| (operand, false)));
                    false
                } else {
                    false
                }
            }
            None => false,
        };
        known.insert(value.key(), is_from);
    }
    known.get(&value.key()) == Some(&true)
}

/// Whether the arguments of a block are those of a function.
fn is_entry(block: Block<'_>, semantics: &mut Semantics) -> bool {
    block_parent(block).is_some_and(|op| semantics.info(op).is_function())
}
