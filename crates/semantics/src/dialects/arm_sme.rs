//! The arm_sme dialect.

use crate::statement::{Dialect, Operands::All, Statement::Reads, row};

pub const DIALECT: Dialect = Dialect {
    name: "arm_sme",
    rows: &[
        row("arm_sme.intr.ld1b.horiz", &[Reads(All)]),
        row("arm_sme.intr.ld1b.vert", &[Reads(All)]),
        row("arm_sme.intr.ld1d.horiz", &[Reads(All)]),
        row("arm_sme.intr.ld1d.vert", &[Reads(All)]),
        row("arm_sme.intr.ld1h.horiz", &[Reads(All)]),
        row("arm_sme.intr.ld1h.vert", &[Reads(All)]),
        row("arm_sme.intr.ld1q.horiz", &[Reads(All)]),
        row("arm_sme.intr.ld1q.vert", &[Reads(All)]),
        row("arm_sme.intr.ld1w.horiz", &[Reads(All)]),
        row("arm_sme.intr.ld1w.vert", &[Reads(All)]),
    ],
    others: &[],
    is_ordered: false,
};
