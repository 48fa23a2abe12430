//! amx. Its tiles are set up for what follows.

use crate::statement::Dialect;

pub const DIALECT: Dialect = Dialect {
    name: "amx",
    rows: &[],
    others: &[],
    is_ordered: true,
};
