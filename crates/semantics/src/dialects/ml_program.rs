//! The ml_program dialect.

use crate::statement::{Dialect, row};

pub const DIALECT: Dialect = Dialect {
    name: "ml_program",
    rows: &[row("ml_program.global", &[])],
    others: &[],
    is_ordered: false,
};
