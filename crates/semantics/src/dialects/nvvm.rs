//! The nvvm dialect.

use crate::statement::Dialect;

pub const DIALECT: Dialect = Dialect {
    name: "nvvm",
    rows: &[],
    others: &[],
    is_ordered: true,
};
