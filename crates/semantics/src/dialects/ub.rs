//! ub.

use crate::statement::{Dialect, Statement::Borrows, row};

pub const DIALECT: Dialect = Dialect {
    name: "ub",
    rows: &[row("ub.poison", &[Borrows])],
    others: &[],
};
