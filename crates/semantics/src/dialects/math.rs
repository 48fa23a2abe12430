//! The math dialect.

use crate::statement::{
    Dialect,
    Speculation::{Exponent, Values},
    Statement::Speculates,
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "math",
    rows: &[row("math.ipowi", &[Speculates(Exponent(1))])],
    others: &[Speculates(Values)],
    is_ordered: false,
};
