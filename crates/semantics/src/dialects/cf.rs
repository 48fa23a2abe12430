//! The cf dialect. The output of a failed assertion is not memory of the program.

use crate::statement::{
    Chooser, Dialect,
    Returns::Perhaps,
    Statement::{Chooses, Jumps, Returns, UpstreamModel},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "cf",
    rows: &[
        row("cf.assert", &[Returns(Perhaps)]),
        row("cf.br", &[Jumps]),
        row("cf.cond_br", &[Chooses(Chooser::Truth), UpstreamModel]),
        row("cf.switch", &[Chooses(Chooser::Cases("case_values"))]),
    ],
    others: &[],
    is_ordered: false,
};
