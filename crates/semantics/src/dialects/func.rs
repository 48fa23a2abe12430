//! func. Interfaces say all of memory.

use crate::statement::{Dialect, Statement::Extends, row};

pub const DIALECT: Dialect = Dialect {
    name: "func",
    rows: &[row("func.func", &[Extends])],
    others: &[],
    is_ordered: false,
};
