//! omp. Operations with regions say by their regions what they do.

use crate::statement::{
    Dialect,
    Operands::{All, Number},
    Statement::{Descriptor, Reads, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "omp",
    rows: &[
        row("omp.atomic.read", &[Reads(Number(0)), Writes(Number(1))]),
        row("omp.atomic.update", &[Reads(Number(0)), Writes(Number(0))]),
        row("omp.atomic.write", &[Writes(Number(0))]),
        row("omp.barrier", &[]),
        row("omp.flush", &[Descriptor(All)]),
        row("omp.taskwait", &[]),
        row("omp.taskyield", &[]),
    ],
    others: &[],
};
