//! vector.

use crate::{
    op_memory::DataStart::Same,
    statement::{
        Covers::{Transfer, Vector},
        Dialect,
        Operands::Number,
        Speculation::Values,
        Statement::{AnySpace, Overwrites, ReliesOnAlignment, Speculates, Strides, Views},
        Strides::{Any, UnitInnermost},
        row,
    },
};

pub const DIALECT: Dialect = Dialect {
    name: "vector",
    rows: &[
        row(
            "vector.load",
            &[AnySpace, Strides(UnitInnermost), ReliesOnAlignment],
        ),
        row(
            "vector.store",
            &[
                AnySpace,
                Overwrites(1, Vector),
                Strides(UnitInnermost),
                ReliesOnAlignment,
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
