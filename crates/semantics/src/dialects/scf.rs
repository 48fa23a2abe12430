//! scf. Interfaces say all of memory; the rows say what loops count, and how branches choose.

use crate::statement::{
    Bounds, Chooser, Dialect,
    Statement::{Chooses, Counts, Repeats, RunsOnce},
    row,
};

/// As the interface says.
const BOUNDS: Bounds = Bounds::Interface { unsigned: None };

pub const DIALECT: Dialect = Dialect {
    name: "scf",
    rows: &[
        row("scf.execute_region", &[RunsOnce]),
        row(
            "scf.for",
            &[Counts(Bounds::Interface {
                unsigned: Some("unsignedCmp"),
            })],
        ),
        row("scf.forall", &[Counts(BOUNDS)]),
        row("scf.if", &[Chooses(Chooser::Truth)]),
        row("scf.index_switch", &[Chooses(Chooser::Cases("cases"))]),
        row("scf.parallel", &[Counts(BOUNDS)]),
        row("scf.while", &[Repeats]),
    ],
    others: &[],
};
