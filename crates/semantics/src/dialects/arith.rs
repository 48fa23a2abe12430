//! The arith dialect. Upstream's traits claim that remainders and some divisions never trap.

use crate::{
    arithmetic::{
        Binary::{
            Add, And, Divide, Max, Min, Multiply, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
            Xor,
        },
        Cast::{Extend, Index, Truncate},
        Computation::{Binary, Cast, Compare, Constant, Select, WideProduct},
        Rounding::{Ceiling, Floor, Zero},
        Sign::{Signed, Unsigned},
    },
    statement::{
        Dialect,
        Operands::All,
        Speculation::Values,
        Statement::{self, AnyOf, Computes, Speculates, UpstreamModel},
        row,
    },
};

pub const DIALECT: Dialect = Dialect {
    name: "arith",
    rows: &[
        row("arith.addi", &[Computes(Binary(Add))]),
        row("arith.andi", &[Computes(Binary(And))]),
        row(
            "arith.ceildivsi",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Ceiling))),
            ],
        ),
        row(
            "arith.ceildivui",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Divide(Unsigned, Ceiling))),
            ],
        ),
        row("arith.cmpi", &[Computes(Compare("predicate"))]),
        row("arith.constant", &[Computes(Constant("value"))]),
        row(
            "arith.divsi",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Zero))),
            ],
        ),
        row(
            "arith.divui",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Divide(Unsigned, Zero))),
            ],
        ),
        row("arith.extsi", &[Computes(Cast(Extend(Signed)))]),
        row("arith.extui", &[Computes(Cast(Extend(Unsigned)))]),
        row(
            "arith.floordivsi",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Divide(Signed, Floor))),
            ],
        ),
        row("arith.index_cast", &[Computes(Cast(Index(Signed)))]),
        row("arith.index_castui", &[Computes(Cast(Index(Unsigned)))]),
        row("arith.maxsi", &[Computes(Binary(Max(Signed)))]),
        row("arith.maxui", &[Computes(Binary(Max(Unsigned)))]),
        row("arith.minsi", &[Computes(Binary(Min(Signed)))]),
        row("arith.minui", &[Computes(Binary(Min(Unsigned)))]),
        row("arith.muli", &[Computes(Binary(Multiply))]),
        row("arith.mului_extended", &[Computes(WideProduct)]),
        row("arith.ori", &[Computes(Binary(Or))]),
        row(
            "arith.remsi",
            &[
                Statement::SIGNED_DIVISION,
                Computes(Binary(Remainder(Signed))),
            ],
        ),
        row(
            "arith.remui",
            &[
                Statement::UNSIGNED_DIVISION,
                Computes(Binary(Remainder(Unsigned))),
            ],
        ),
        row(
            "arith.select",
            &[
                AnyOf(All),
                Speculates(Values),
                Computes(Select),
                UpstreamModel,
            ],
        ),
        row("arith.shli", &[Computes(Binary(ShiftLeft))]),
        row("arith.shrsi", &[Computes(Binary(ShiftRight(Signed)))]),
        row("arith.shrui", &[Computes(Binary(ShiftRight(Unsigned)))]),
        row("arith.subi", &[Computes(Binary(Subtract))]),
        row("arith.trunci", &[Computes(Cast(Truncate))]),
        row("arith.xori", &[Computes(Binary(Xor))]),
    ],
    others: &[Speculates(Values)],
    is_ordered: false,
};
