//! The index dialect. Upstream's traits claim that divisions never trap.

use crate::{
    arithmetic::{
        Binary::{
            Add, And, Divide, Max, Min, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
            Xor,
        },
        Cast::Index,
        Computation::{Binary, Cast, Compare, Constant},
        Rounding::{Ceiling, Floor, Zero},
        Sign::{Signed, Unsigned},
    },
    statement::{
        Dialect,
        Speculation::Values,
        Statement::{self, Computes, Speculates},
        row,
    },
};

pub const DIALECT: Dialect = Dialect {
    name: "index",
    rows: &[
        row("index.add", &[Computes(Binary(Add))]),
        row("index.and", &[Computes(Binary(And))]),
        row("index.bool.constant", &[Computes(Constant("value"))]),
        row("index.casts", &[Computes(Cast(Index(Signed)))]),
        row("index.castu", &[Computes(Cast(Index(Unsigned)))]),
        row(
            "index.ceildivs",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Ceiling))),
            ],
        ),
        row(
            "index.ceildivu",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Divide(Unsigned, Ceiling))),
            ],
        ),
        row("index.cmp", &[Computes(Compare("pred"))]),
        row("index.constant", &[Computes(Constant("value"))]),
        row(
            "index.divs",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Zero))),
            ],
        ),
        row(
            "index.divu",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Divide(Unsigned, Zero))),
            ],
        ),
        row(
            "index.floordivs",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Floor))),
            ],
        ),
        row("index.maxs", &[Computes(Binary(Max(Signed)))]),
        row("index.maxu", &[Computes(Binary(Max(Unsigned)))]),
        row("index.mins", &[Computes(Binary(Min(Signed)))]),
        row("index.minu", &[Computes(Binary(Min(Unsigned)))]),
        row("index.mul", &[Computes(Binary(Multiply))]),
        row("index.or", &[Computes(Binary(Or))]),
        row(
            "index.rems",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Remainder(Signed))),
            ],
        ),
        row(
            "index.remu",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Remainder(Unsigned))),
            ],
        ),
        row("index.shl", &[Computes(Binary(ShiftLeft))]),
        row("index.shrs", &[Computes(Binary(ShiftRight(Signed)))]),
        row("index.shru", &[Computes(Binary(ShiftRight(Unsigned)))]),
        row("index.sub", &[Computes(Binary(Subtract))]),
        row("index.xor", &[Computes(Binary(Xor))]),
    ],
    others: &[Speculates(Values)],
    is_ordered: false,
};
