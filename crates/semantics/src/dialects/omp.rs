//! The omp dialect. Work that a team of threads finishes before the operation returns is synchronous; tasks and
//! offloading are asynchronous.

use crate::{
    op_memory::RegionOrder::{Asynchronous, Parallel},
    statement::{
        Dialect,
        Operands::{All, Number},
        Outlined,
        Statement::{self, Address, AnyOf, Captures, Descriptor, Fence, Reads, Runs, Writes},
        row,
    },
};

/// Regions are outlined. A region of one block may become the body of a loop in the function.
const OUTLINED: Statement = Statement::Outlines(Outlined::SeveralBlocks);

/// Memory in the clauses of the operation is read and written.
const TEAM: &[Statement] = &[Runs(Parallel), OUTLINED, Reads(All), Writes(All)];

/// Memory that is mapped to a device is used there asynchronously, which is not tracked.
const OFFLOADED: &[Statement] = &[
    Runs(Asynchronous),
    OUTLINED,
    Reads(All),
    Writes(All),
    Captures(All),
];

pub const DIALECT: Dialect = Dialect {
    name: "omp",
    rows: &[
        row("omp.allocate_dir", &[Descriptor(All)]),
        // The operations in its region state the reads and writes.
        row("omp.atomic.capture", &[]),
        row("omp.atomic.read", &[Reads(Number(0)), Writes(Number(1))]),
        row("omp.atomic.update", &[Reads(Number(0)), Writes(Number(0))]),
        row("omp.atomic.write", &[Writes(Number(0))]),
        row("omp.barrier", &[Fence]),
        row("omp.cancel", &[Fence]),
        row("omp.cancellation_point", &[Fence]),
        row("omp.canonical_loop", &[Runs(Parallel), OUTLINED]),
        row("omp.critical", TEAM),
        row("omp.declare_mapper", &[]),
        row("omp.declare_reduction", &[]),
        row("omp.distribute", TEAM),
        row("omp.flush", &[Descriptor(All), Fence]),
        row("omp.loop", TEAM),
        row("omp.loop_nest", TEAM),
        // A map includes the mapped memory, and what it points to or has as members. A use of the map uses any of
        // them.
        row("omp.map.info", &[Address(All), AnyOf(All)]),
        row("omp.masked", TEAM),
        row("omp.master", TEAM),
        row("omp.new_cli", &[]),
        row("omp.ordered", &[Fence]),
        row("omp.ordered.region", TEAM),
        row("omp.parallel", TEAM),
        row("omp.private", &[]),
        row("omp.section", TEAM),
        row("omp.sections", TEAM),
        row("omp.simd", TEAM),
        row("omp.single", TEAM),
        row("omp.target", OFFLOADED),
        row("omp.target_data", OFFLOADED),
        row(
            "omp.target_enter_data",
            &[Reads(All), Writes(All), Captures(All)],
        ),
        row(
            "omp.target_exit_data",
            &[Reads(All), Writes(All), Captures(All)],
        ),
        row(
            "omp.target_update",
            &[Reads(All), Writes(All), Captures(All)],
        ),
        row("omp.taskgroup", TEAM),
        row("omp.taskwait", &[Fence]),
        row("omp.taskyield", &[Fence]),
        row("omp.teams", TEAM),
        row("omp.threadprivate", &[Captures(All)]),
        row("omp.workshare", TEAM),
        row("omp.workshare.loop_wrapper", TEAM),
        row("omp.wsloop", TEAM),
    ],
    others: &[Runs(Asynchronous), OUTLINED],
    is_ordered: true,
};
