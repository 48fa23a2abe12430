//! The mpi dialect. A request is a token.

use crate::{
    op_memory::Uses,
    statement::{
        Dialect,
        Operands::Memrefs,
        Statement::{self, Fence, Reads, Waits, Writes},
        row,
    },
};

const STARTS: Statement = Statement::Starts {
    uses: Uses::Operands,
    grouped: false,
};

pub const DIALECT: Dialect = Dialect {
    name: "mpi",
    rows: &[
        row("mpi.allreduce", &[Reads(Memrefs), Writes(Memrefs), Fence]),
        row("mpi.barrier", &[Fence]),
        row("mpi.irecv", &[Writes(Memrefs), STARTS, Fence]),
        row("mpi.isend", &[Reads(Memrefs), STARTS, Fence]),
        row("mpi.recv", &[Writes(Memrefs), Fence]),
        row("mpi.send", &[Reads(Memrefs), Fence]),
        row("mpi.wait", &[Waits, Fence]),
    ],
    others: &[],
    is_ordered: true,
};
