//! The amx dialect. Its tiles are configured for the operations that follow.

use crate::statement::Dialect;

pub const DIALECT: Dialect = Dialect {
    name: "amx",
    rows: &[],
    others: &[],
    is_ordered: true,
};
