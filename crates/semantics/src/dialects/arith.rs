//! arith.

use crate::statement::{Dialect, Operands::All, Statement::AnyOf, row};

pub const DIALECT: Dialect = Dialect {
    name: "arith",
    rows: &[row("arith.select", &[AnyOf(All)])],
    others: &[],
};
