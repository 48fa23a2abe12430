//! Which way a branch takes whose flag is known.

use memplan_mlir::{
    build::{dense_integers, integers_of},
    copy::integer_width,
    ir::{Op, operands, type_of},
    melior::ir::operation::OperationLike,
    names::Known,
};

/// The successor that a `cf.cond_br` or `cf.switch` takes; `None` for other operations.
pub fn successor(op: Op<'_>, known: Known, flag: i64) -> Option<usize> {
    match known {
        Known::CondBranch => Some(usize::from(flag == 0)),
        Known::Switch if !op.has_attribute("case_values") => Some(0),
        // The first successor is the default's.
        Known::Switch if has_whole_bytes(op) => {
            Some(place(&dense_integers(op, "case_values")?, flag))
        }
        _ => None,
    }
}

/// Whether the flag is of a type whose constants are read as they are kept, sign-extended.
fn has_whole_bytes(op: Op<'_>) -> bool {
    let width = operands(op)
        .next()
        .and_then(|flag| integer_width(type_of(flag)));
    matches!(width, Some(8 | 16 | 32 | 64))
}

/// The values of an `scf.index_switch`; the first region is the default's.
pub fn cases(op: Op<'_>) -> Option<Vec<i64>> {
    integers_of(op, "cases")
}

/// Where a flag leads: 0 is the default, 1 the first case.
pub fn place(cases: &[i64], flag: i64) -> usize {
    let case = cases.iter().position(|case| *case == flag);
    case.map_or(0, |case| case + 1)
}
