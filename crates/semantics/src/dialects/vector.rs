//! The vector dialect.

use crate::{
    op_memory::DataStart::Same,
    statement::{
        Covers::{Transfer, Vector},
        Dialect,
        Operands::Number,
        Speculation::Values,
        Statement::{
            self, AlignedByAttribute, AnySpace, Overwrites, ReliesOnAlignment, Speculates, Strides,
            Views,
        },
        Strides::{Any, UnitInnermost},
        row,
    },
};

/// Its effects describe the reads and writes.
const ACCESS: &[Statement] = &[ReliesOnAlignment, AlignedByAttribute];

pub const DIALECT: Dialect = Dialect {
    name: "vector",
    rows: &[
        row("vector.compressstore", ACCESS),
        row("vector.expandload", ACCESS),
        row("vector.gather", ACCESS),
        row(
            "vector.load",
            &[
                AnySpace,
                Strides(UnitInnermost),
                ReliesOnAlignment,
                AlignedByAttribute,
            ],
        ),
        row("vector.maskedload", ACCESS),
        row("vector.maskedstore", ACCESS),
        row("vector.scatter", ACCESS),
        row(
            "vector.store",
            &[
                AnySpace,
                Overwrites(1, Vector),
                Strides(UnitInnermost),
                ReliesOnAlignment,
                AlignedByAttribute,
            ],
        ),
        row(
            "vector.transfer_read",
            &[AnySpace, Strides(Any), ReliesOnAlignment],
        ),
        row(
            "vector.transfer_write",
            &[
                AnySpace,
                Overwrites(1, Transfer),
                Strides(Any),
                ReliesOnAlignment,
            ],
        ),
        row(
            "vector.type_cast",
            &[Views(Number(0), Same), ReliesOnAlignment],
        ),
    ],
    others: &[Speculates(Values), ReliesOnAlignment],
    is_ordered: false,
};
