//! The linalg dialect. Memory effects and element accesses are those of `LinalgOp`.

use crate::statement::{
    Dialect, Fill,
    Speculation::Interface,
    Statement::{
        self, AnySpace, Copies, Fills, LoopIndex, Speculates, Strides, Structured, Traps, Walks,
    },
    Strides::Structured as OfStructured,
    Traps::UnlessStatic,
    row,
};

const STRIDES: Statement = Strides(OfStructured);
const FILLS: Statement = Fills(Fill {
    value: 0,
    memref: 1,
});
/// The sizes must match.
const TRAPS: Statement = Traps(UnlessStatic);

pub const DIALECT: Dialect = Dialect {
    name: "linalg",
    rows: &[
        row(
            "linalg.copy",
            &[
                AnySpace,
                Walks,
                Structured,
                Copies(0, 1, None),
                STRIDES,
                TRAPS,
            ],
        ),
        row(
            "linalg.fill",
            &[AnySpace, Walks, Structured, FILLS, STRIDES, TRAPS],
        ),
        row(
            "linalg.index",
            &[Speculates(Interface), TRAPS, LoopIndex("dim")],
        ),
        row("linalg.pack", &[AnySpace, Walks]),
        row(
            "linalg.transpose",
            &[
                AnySpace,
                Walks,
                Structured,
                Copies(0, 1, Some("permutation")),
                STRIDES,
                TRAPS,
            ],
        ),
        row("linalg.unpack", &[AnySpace, Walks]),
    ],
    others: &[AnySpace, Walks, Structured, STRIDES, TRAPS],
    is_ordered: false,
};
