//! llvm.

use crate::statement::{Dialect, Statement::NeverLeft, row};

pub const DIALECT: Dialect = Dialect {
    name: "llvm",
    rows: &[row("llvm.unreachable", &[NeverLeft])],
    others: &[],
};
