//! The builtin dialect.

use crate::statement::{Dialect, Operands::All, Statement::Address, row};

pub const DIALECT: Dialect = Dialect {
    name: "builtin",
    rows: &[row("builtin.unrealized_conversion_cast", &[Address(All)])],
    others: &[],
    is_ordered: false,
};
