//! omp. What a team of threads does together before it goes on is synchronous; tasks and offloading are not.

use crate::{
    op_memory::RegionOrder::{Asynchronous, Parallel},
    statement::{
        Dialect,
        Operands::{All, Number},
        Statement::{self, Descriptor, Reads, Runs, Writes},
        row,
    },
};

const TEAM: &[Statement] = &[Runs(Parallel)];

pub const DIALECT: Dialect = Dialect {
    name: "omp",
    rows: &[
        row("omp.atomic.read", &[Reads(Number(0)), Writes(Number(1))]),
        row("omp.atomic.update", &[Reads(Number(0)), Writes(Number(0))]),
        row("omp.atomic.write", &[Writes(Number(0))]),
        row("omp.barrier", &[]),
        row("omp.critical", TEAM),
        row("omp.flush", &[Descriptor(All)]),
        row("omp.loop_nest", TEAM),
        row("omp.masked", TEAM),
        row("omp.master", TEAM),
        row("omp.ordered.region", TEAM),
        row("omp.parallel", TEAM),
        row("omp.section", TEAM),
        row("omp.sections", TEAM),
        row("omp.simd", TEAM),
        row("omp.single", TEAM),
        row("omp.taskwait", &[]),
        row("omp.taskyield", &[]),
        row("omp.wsloop", TEAM),
    ],
    others: &[Runs(Asynchronous)],
};
