//! index. Upstream's traits say that divisions never trap.

use crate::statement::{
    Dialect,
    Speculation::{Divisor, Values},
    Statement::{self, Speculates},
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
    name: "index",
    rows: &[
        row("index.ceildivs", &[SIGNED]),
        row("index.ceildivu", &[UNSIGNED]),
        row("index.divs", &[SIGNED]),
        row("index.divu", &[UNSIGNED]),
        row("index.floordivs", &[SIGNED]),
        row("index.rems", &[SIGNED]),
        row("index.remu", &[UNSIGNED]),
    ],
    others: &[Speculates(Values)],
};
