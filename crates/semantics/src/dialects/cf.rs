//! cf.

use crate::statement::{
    Chooser, Dialect,
    Statement::{Chooses, Jumps},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "cf",
    rows: &[
        row("cf.br", &[Jumps]),
        row("cf.cond_br", &[Chooses(Chooser::Truth)]),
        row("cf.switch", &[Chooses(Chooser::Cases("case_values"))]),
    ],
    others: &[],
};
