//! linalg. Effects are those of `LinalgOp`.

use crate::statement::{Dialect, Statement::AnySpace};

pub const DIALECT: Dialect = Dialect {
    name: "linalg",
    rows: &[],
    others: &[AnySpace],
};
