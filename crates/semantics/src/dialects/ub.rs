//! The ub dialect.

use crate::statement::{
    Dialect,
    Statement::{Borrows, NeverLeft},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "ub",
    rows: &[
        row("ub.poison", &[Borrows]),
        row("ub.unreachable", &[NeverLeft]),
    ],
    others: &[],
    is_ordered: false,
};
