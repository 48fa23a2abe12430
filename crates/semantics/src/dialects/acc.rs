//! acc. Regions may run on another device, and after control has passed the operation.

use crate::op_memory::RegionOrder::Offloaded;
use crate::statement::{
    Dialect,
    Operands::Number,
    Statement::{Reads, Runs, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "acc",
    rows: &[
        row("acc.atomic.read", &[Reads(Number(0)), Writes(Number(1))]),
        row("acc.atomic.update", &[Reads(Number(0)), Writes(Number(0))]),
        row("acc.atomic.write", &[Writes(Number(0))]),
    ],
    others: &[Runs(Offloaded)],
};
