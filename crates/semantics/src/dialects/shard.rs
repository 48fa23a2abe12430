//! shard. It calls communication pure, which holds for tensors; on memrefs it is that of mpi.

use crate::statement::{
    Dialect,
    Operands::Memrefs,
    Statement::{Fence, Reads, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "shard",
    rows: &[
        row("shard.all_reduce", &[Reads(Memrefs), Fence]),
        row(
            "shard.update_halo",
            &[Reads(Memrefs), Writes(Memrefs), Fence],
        ),
    ],
    others: &[],
    is_ordered: true,
};
