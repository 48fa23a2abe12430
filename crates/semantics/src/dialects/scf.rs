//! The scf dialect. Interfaces describe all its memory semantics. The rows describe trip counts and branch
//! conditions, and list the operations that do not trap themselves.

use crate::statement::{
    Bounds, Chooser, Dialect,
    Returns::{Always, IfPositive},
    Statement::{
        Chooses, Counts, Extends, Reduces, Repeats, Returns, RunsOnce, Traps, UpstreamModel,
    },
    Traps::Never,
    row,
};

/// As the interface reports.
const BOUNDS: Bounds = Bounds::Interface { unsigned: None };

pub const DIALECT: Dialect = Dialect {
    name: "scf",
    rows: &[
        row("scf.execute_region", &[RunsOnce, Extends, Traps(Never)]),
        row(
            "scf.for",
            &[
                Counts(Bounds::Interface {
                    unsigned: Some("unsignedCmp"),
                }),
                Extends,
                Traps(Never),
                Returns(IfPositive(2)),
            ],
        ),
        row("scf.forall", &[Counts(BOUNDS), Returns(Always)]),
        row("scf.forall.in_parallel", &[UpstreamModel]),
        row("scf.if", &[Chooses(Chooser::Truth), Extends, Traps(Never)]),
        row(
            "scf.index_switch",
            &[Chooses(Chooser::Cases("cases")), Extends, Traps(Never)],
        ),
        row("scf.parallel", &[Counts(BOUNDS), Reduces]),
        row("scf.reduce.return", &[UpstreamModel]),
        row("scf.while", &[Repeats, Extends]),
        row("scf.yield", &[Traps(Never)]),
    ],
    others: &[],
    is_ordered: false,
};
