//! The sparse_tensor dialect. Buffers are those of its lowering.

use crate::{
    allocators::Allocator,
    statement::{
        Dialect,
        Operands::{Memref, Memrefs},
        Statement::{Allocates, Frees, Reads, Reallocates, Writes},
        row,
    },
};

pub const DIALECT: Dialect = Dialect {
    name: "sparse_tensor",
    rows: &[
        row(
            "sparse_tensor.compress",
            &[Frees(Memrefs, Allocator::Unnamed)],
        ),
        row("sparse_tensor.expand", &[Allocates(Allocator::Unnamed)]),
        row("sparse_tensor.push_back", &[Reallocates(Memref(0))]),
        row("sparse_tensor.sort", &[Reads(Memrefs), Writes(Memrefs)]),
    ],
    others: &[],
    is_ordered: false,
};
