//! vector.

use crate::{
    op_memory::DataStart::Same,
    statement::{Dialect, Operands::Number, Statement::Views, row},
};

pub const DIALECT: Dialect = Dialect {
    name: "vector",
    rows: &[row("vector.type_cast", &[Views(Number(0), Same)])],
    others: &[],
};
