//! The amdgpu dialect.

use crate::statement::{
    Dialect,
    Operands::Memref,
    Statement::{Fence, NeverEnds, Reads, WorkgroupBarrier, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "amdgpu",
    rows: &[
        row(
            "amdgpu.gather_to_lds",
            &[Reads(Memref(0)), Writes(Memref(1)), NeverEnds],
        ),
        row("amdgpu.lds_barrier", &[Fence, WorkgroupBarrier(|_| true)]),
        row("amdgpu.memory_counter_wait", &[Fence]),
        row("amdgpu.sched_barrier", &[Fence]),
    ],
    others: &[],
    is_ordered: true,
};
