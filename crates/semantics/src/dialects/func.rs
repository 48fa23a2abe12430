//! The func dialect. Interfaces describe all its memory semantics.

use crate::statement::{Dialect, Statement::Extends, row};

pub const DIALECT: Dialect = Dialect {
    name: "func",
    rows: &[row("func.func", &[Extends])],
    others: &[],
    is_ordered: false,
};
