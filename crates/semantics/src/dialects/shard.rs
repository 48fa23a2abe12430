//! The shard dialect. It declares communication as pure, which is correct for tensors; on memrefs, communication has
//! the effects of mpi.

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
