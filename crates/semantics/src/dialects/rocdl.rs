//! The rocdl dialect.

use crate::statement::Dialect;

pub const DIALECT: Dialect = Dialect {
    name: "rocdl",
    rows: &[],
    others: &[],
    is_ordered: true,
};
