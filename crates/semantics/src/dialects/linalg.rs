//! linalg. Effects are those of `LinalgOp`.

use crate::statement::{
    Dialect,
    Speculation::Interface,
    Statement::{AnySpace, Speculates, Walks},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "linalg",
    rows: &[row("linalg.index", &[Speculates(Interface)])],
    others: &[AnySpace, Walks],
};
