//! May an operation run where it would not have run? A division may trap, whatever upstream's traits say.

use crate::{
    declared, dialects,
    statement::{Speculation, Statement},
};
use memplan_mlir::{
    build,
    ir::{Op, is_plain_data, next_in_block, operands, regions, results, type_of},
    values::{divides_by_constants, is_constant_not_negative, is_safe_divisor, is_speculatable},
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
    match speculation(op)? {
        Speculation::Divisor { operand, signed } => Some(Divisor { operand, signed }),
        _ => None,
    }
}

/// What the tables say.
fn speculation(op: Op<'_>) -> Option<Speculation> {
    // Upstream says of no operation that is not registered that it is speculatable.
    let (row, others) = dialects::rows(op);
    let mut statements = row.unwrap_or_default().iter().chain(others);
    statements.find_map(|say| match say {
        Statement::Speculates(speculation) => Some(*speculation),
        _ => None,
    })
}

/// May `op` run where it would not have run: does it compute scalars and vectors from such, or ask for a dimension,
/// without ever trapping? Operations that read memory, have regions or end a block may not.
pub fn is_safe_to_speculate(op: Op<'_>) -> bool {
    // The last operation of a block ends it.
    if regions(op).next().is_some() || next_in_block(op).is_none() {
        return false;
    }
    if let Some(is_speculatable) = declared::is_speculatable(op) {
        return is_speculatable;
    }
    let operand = |at: u32| operands(op).nth(at as usize);
    match speculation(op) {
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
