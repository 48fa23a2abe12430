//! arith. Upstream's traits say that remainders and some divisions never trap.

use crate::statement::{
    Dialect,
    Operands::All,
    Speculation::Values,
    Statement::{self, AnyOf, Speculates},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "arith",
    rows: &[
        row("arith.ceildivsi", &[Statement::SIGNED_DIVISION]),
        row("arith.ceildivui", &[Statement::UNSIGNED_DIVISION]),
        row("arith.divsi", &[Statement::SIGNED_DIVISION]),
        row("arith.divui", &[Statement::UNSIGNED_DIVISION]),
        row("arith.floordivsi", &[Statement::SIGNED_DIVISION]),
        row("arith.remsi", &[Statement::SIGNED_DIVISION]),
        row("arith.remui", &[Statement::UNSIGNED_DIVISION]),
        row("arith.select", &[AnyOf(All), Speculates(Values)]),
    ],
    others: &[Speculates(Values)],
    is_ordered: false,
};
