//! Decides whether an operation is speculatable, and whether it may be moved after an operation that may end the
//! program. A division may trap, regardless of its upstream traits.

use crate::{
    declared, dialects,
    semantics::Semantics,
    statement::{Returns, Speculation, Traps},
};
use memplan_mlir::{
    build,
    ir::{
        Op, Origin, Type, Val, blocks, is_memref, is_plain_data, next_in_block, operands, origin,
        regions, results, type_of,
    },
    melior::ir::{
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
    values::{divides_by_constants, is_constant_not_negative, is_safe_divisor, is_speculatable},
};

/// A divisor operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// The operand number.
    pub operand: u32,
    /// The division is signed: dividing the smallest number by -1 overflows.
    pub signed: bool,
}

/// The divisor of an operation that is speculatable provided that its divisor is not zero and, if the division is
/// signed, does not cause an overflow.
pub fn divisor(op: Op<'_>) -> Option<Divisor> {
    match dialects::entry_of(op).speculation()? {
        Speculation::Divisor { operand, signed } => Some(Divisor { operand, signed }),
        _ => None,
    }
}

/// Is `op` speculatable? It is if it computes scalars and vectors from scalars and vectors or queries a dimension,
/// and never traps. Operations that read memory, have regions or are terminators are not speculatable.
pub fn is_safe_to_speculate(op: Op<'_>) -> bool {
    is_candidate(op)
        && declared::is_speculatable(op)
            .unwrap_or_else(|| is_safe(op, dialects::entry_of(op).speculation()))
}

/// The last operation of a block is its terminator.
fn is_candidate(op: Op<'_>) -> bool {
    regions(op).next().is_none() && next_in_block(op).is_some()
}

/// Upstream reports unregistered operations as not speculatable.
fn is_safe(op: Op<'_>, speculation: Option<Speculation>) -> bool {
    let operand = |at: u32| operands(op).nth(at as usize);
    match speculation {
        None => false,
        Some(Speculation::Interface) => is_speculatable(op),
        Some(Speculation::Values) => {
            let mut values = operands(op).chain(results(op)).map(type_of);
            values.all(is_plain_data) && is_speculatable(op)
        }
        Some(Speculation::Divisor {
            operand: by,
            signed,
        }) => operand(by).is_some_and(|by| is_safe_divisor(by, signed)),
        Some(Speculation::Map) => divides_by_constants(op, "map"),
        Some(Speculation::StaticBasis) => build::integers_of(op, "static_basis")
            .is_some_and(|sizes| sizes.iter().all(|size| *size > 0)),
        Some(Speculation::Exponent(at)) => operand(at).is_some_and(is_constant_not_negative),
    }
}

impl Semantics {
    /// As [`is_safe_to_speculate`], with the name looked up once.
    pub fn is_safe_to_speculate(&mut self, op: Op<'_>) -> bool {
        let table = self.table_facts(op);
        let described = table.is_described.then(|| declared::is_speculatable(op));
        is_candidate(op)
            && described
                .flatten()
                .unwrap_or_else(|| is_safe(op, table.speculation))
    }

    /// May `op` trap or have undefined behavior, although its operands are defined? An earlier operation may have
    /// excluded that, such as an assertion that an index is in bounds. Operations in its regions are not considered.
    pub fn may_trap(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        let info = facts.info;
        match facts.table.traps {
            Some(Traps::Never) => false,
            Some(Traps::UnlessStatic) => !has_static_sizes(op),
            Some(Traps::UnlessConstant) => op.operand_count() > 0,
            Some(Traps::Perhaps) => true,
            None if info.is_view() => op.operand_count() != 1 || !has_static_sizes(op),
            None => !self.is_safe_to_speculate(op) && !self.loads_in_bounds(op),
        }
    }

    /// May `op` only trap because sizes of its operands do not fit, so that it does not if they are proven to?
    pub fn traps_by_sizes_only(&mut self, op: Op<'_>) -> bool {
        matches!(self.facts(op).table.traps, Some(Traps::UnlessStatic))
    }

    /// May the program end at `op`, or may `op` run for ever? Operations in its regions are not considered.
    pub fn may_stop(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        let (info, returns) = (facts.info, facts.table.returns);
        let mut bodies = regions(op);
        if bodies.any(|region| blocks(region).nth(1).is_some()) {
            return true;
        }
        match returns {
            Some(Returns::Always) => false,
            Some(Returns::IfPositive(step)) => {
                let step = operands(op).nth(step as usize);
                !step.is_some_and(|step| self.is_positive(step))
            }
            Some(Returns::Perhaps) => true,
            None => info.is_loop() || op.successor_count() > 1,
        }
    }

    /// Is the result of an operation known to be greater than zero?
    fn is_positive(&mut self, value: Val<'_>) -> bool {
        matches!(origin(value), Some(Origin::Result(..)))
            && self.least(value).is_some_and(|least| least > 0)
    }

    /// May `op` not return? Examples are an assertion, a call, an endless loop, and an unknown operation. Operations
    /// in its regions are not considered.
    pub fn may_not_return(&mut self, op: Op<'_>) -> bool {
        if self.facts(op).table.is_ordered || self.may_stop(op) {
            return true;
        }
        let memory = self.of(op);
        memory.opaque.is_some() || memory.is_call || memory.unnamed.other_resources
    }
}

/// Do all memrefs of an operation have static sizes? Then the verifier has checked that they match.
fn has_static_sizes(op: Op<'_>) -> bool {
    let is_known = |r#type: Type<'_>| {
        !is_memref(r#type)
            || MemRefType::try_from(r#type).is_ok_and(|memref| memref.has_static_shape())
    };
    operands(op).chain(results(op)).map(type_of).all(is_known)
}
