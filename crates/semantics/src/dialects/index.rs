//! index. Upstream's traits say that divisions never trap.

use crate::statement::{
    Dialect,
    Speculation::Values,
    Statement::{self, Speculates},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "index",
    rows: &[
        row("index.ceildivs", &[Statement::SIGNED_DIVISION]),
        row("index.ceildivu", &[Statement::UNSIGNED_DIVISION]),
        row("index.divs", &[Statement::SIGNED_DIVISION]),
        row("index.divu", &[Statement::UNSIGNED_DIVISION]),
        row("index.floordivs", &[Statement::SIGNED_DIVISION]),
        row("index.rems", &[Statement::SIGNED_DIVISION]),
        row("index.remu", &[Statement::UNSIGNED_DIVISION]),
    ],
    others: &[Speculates(Values)],
    is_ordered: false,
};
