//! May an operation run where it would not have run, or later than what may end the program? A division may trap,
//! whatever upstream's traits say.

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
    values::{
        divides_by_constants, is_constant_not_negative, is_safe_divisor, is_speculatable,
        lower_bound,
    },
};

/// An operand that something is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// The number of the operand.
    pub operand: u32,
    /// Signed numbers are divided: it overflows for the least number and -1.
    pub signed: bool,
}

/// The divisor of an operation that may run where it would not have run if its divisor is not zero and, if it is signed, it
/// does not overflow.
pub fn divisor(op: Op<'_>) -> Option<Divisor> {
    match dialects::said(op).speculation()? {
        Speculation::Divisor { operand, signed } => Some(Divisor { operand, signed }),
        _ => None,
    }
}

/// May `op` run where it would not have run: does it compute scalars and vectors from such, or ask for a dimension,
/// without ever trapping? Operations that read memory, have regions or end a block may not.
pub fn is_safe_to_speculate(op: Op<'_>) -> bool {
    may_be_asked(op)
        && declared::is_speculatable(op)
            .unwrap_or_else(|| is_safe(op, dialects::said(op).speculation()))
}

/// The last operation of a block ends it.
fn may_be_asked(op: Op<'_>) -> bool {
    regions(op).next().is_none() && next_in_block(op).is_some()
}

/// Upstream says of no operation that is not registered that it is speculatable.
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
        let says = self.says(op);
        let described = says.is_described.then(|| declared::is_speculatable(op));
        may_be_asked(op)
            && described
                .flatten()
                .unwrap_or_else(|| is_safe(op, says.speculation))
    }

    /// May `op` trap, or is it perhaps not defined, though its operands are? What stands before it may have made sure
    /// that it is not: an assertion that an index is in bounds. What its regions' operations do is theirs.
    pub fn may_trap(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        let info = facts.info;
        match facts.says.traps {
            Some(Traps::Never) => false,
            Some(Traps::UnlessStatic) => !has_static_sizes(op),
            Some(Traps::UnlessConstant) => op.operand_count() > 0,
            Some(Traps::Perhaps) => true,
            None if info.is_view() => op.operand_count() != 1 || !has_static_sizes(op),
            None => !self.is_safe_to_speculate(op),
        }
    }

    /// May the program end at `op`, or may it run for ever? What its regions' operations do is theirs.
    pub fn may_stop(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        let (info, returns) = (facts.info, facts.says.returns);
        let mut bodies = regions(op);
        if bodies.any(|region| blocks(region).nth(1).is_some()) {
            return true;
        }
        match returns {
            Some(Returns::Always) => false,
            Some(Returns::IfPositive(step)) => {
                let step = operands(op).nth(step as usize);
                !step.is_some_and(is_positive)
            }
            Some(Returns::Perhaps) => true,
            None => info.is_loop() || op.successor_count() > 1,
        }
    }

    /// May control not come back from `op`: an assertion, a call, an endless loop, or what nothing is known of? What its
    /// regions' operations do is theirs.
    pub fn may_not_return(&mut self, op: Op<'_>) -> bool {
        if self.facts(op).says.is_ordered || self.may_stop(op) {
            return true;
        }
        let memory = self.of(op);
        memory.opaque.is_some() || memory.is_call || memory.unnamed.other_resources
    }
}

/// Are all sizes of the memrefs of an operation known? Then they have been found to fit.
fn has_static_sizes(op: Op<'_>) -> bool {
    let is_known = |r#type: Type<'_>| {
        !is_memref(r#type)
            || MemRefType::try_from(r#type).is_ok_and(|memref| memref.has_static_shape())
    };
    operands(op).chain(results(op)).map(type_of).all(is_known)
}

/// Is a value that an operation computes greater than zero, for certain?
fn is_positive(value: Val<'_>) -> bool {
    matches!(origin(value), Some(Origin::Result(..)))
        && lower_bound(value).is_some_and(|least| least > 0)
}
