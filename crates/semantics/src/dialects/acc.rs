//! The acc dialect. Regions may run on another device and asynchronously.

use crate::op_memory::RegionOrder::Offloaded;
use crate::statement::{
    Dialect,
    Operands::Number,
    Statement::{Fence, Reads, Runs, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "acc",
    rows: &[
        // The operations in its region state the reads and writes.
        row("acc.atomic.capture", &[]),
        row("acc.atomic.read", &[Reads(Number(0)), Writes(Number(1))]),
        row("acc.atomic.update", &[Reads(Number(0)), Writes(Number(0))]),
        row("acc.atomic.write", &[Writes(Number(0))]),
        row("acc.firstprivate.recipe", &[]),
        row("acc.global_ctor", &[]),
        row("acc.global_dtor", &[]),
        row("acc.init", &[Fence]),
        row("acc.private.recipe", &[]),
        row("acc.reduction.recipe", &[]),
        row("acc.set", &[Fence]),
        row("acc.shutdown", &[Fence]),
        row("acc.wait", &[Fence]),
    ],
    others: &[Runs(Offloaded)],
    is_ordered: true,
};
