//! vector.

use crate::{
    op_memory::DataStart::Same,
    statement::{
        Dialect,
        Operands::Number,
        Speculation::Values,
        Statement::{AnySpace, Speculates, Views},
        row,
    },
};

pub const DIALECT: Dialect = Dialect {
    name: "vector",
    rows: &[
        row("vector.load", &[AnySpace]),
        row("vector.store", &[AnySpace]),
        row("vector.transfer_read", &[AnySpace]),
        row("vector.transfer_write", &[AnySpace]),
        row("vector.type_cast", &[Views(Number(0), Same)]),
    ],
    others: &[Speculates(Values)],
};
