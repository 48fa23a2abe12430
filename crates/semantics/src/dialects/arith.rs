//! arith. Upstream's traits say that remainders and some divisions never trap.

use crate::statement::{
    Dialect,
    Operands::All,
    Speculation::{Divisor, Values},
    Statement::{self, AnyOf, Speculates},
    row,
};

const SIGNED: Statement = Statement::Speculates(Divisor {
    operand: 1,
    signed: true,
});
const UNSIGNED: Statement = Statement::Speculates(Divisor {
    operand: 1,
    signed: false,
});

pub const DIALECT: Dialect = Dialect {
    name: "arith",
    rows: &[
        row("arith.ceildivsi", &[SIGNED]),
        row("arith.ceildivui", &[UNSIGNED]),
        row("arith.divsi", &[SIGNED]),
        row("arith.divui", &[UNSIGNED]),
        row("arith.floordivsi", &[SIGNED]),
        row("arith.remsi", &[SIGNED]),
        row("arith.remui", &[UNSIGNED]),
        row("arith.select", &[AnyOf(All), Speculates(Values)]),
    ],
    others: &[Speculates(Values)],
};
