//! The complex dialect.

use crate::statement::{Dialect, Speculation::Values, Statement::Speculates};

pub const DIALECT: Dialect = Dialect {
    name: "complex",
    rows: &[],
    others: &[Speculates(Values)],
    is_ordered: false,
};
