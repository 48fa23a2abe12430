//! affine.

use crate::op_memory::RegionOrder::Parallel;
use crate::statement::{
    Dialect,
    Operands::{Memrefs, Number},
    Statement::{AnySpace, Loads, NeverEnds, Reads, Runs, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "affine",
    rows: &[
        // Its tag's element is a map of values: not followed.
        row(
            "affine.dma_start",
            &[Reads(Memrefs), Writes(Memrefs), NeverEnds],
        ),
        row("affine.dma_wait", &[Reads(Memrefs)]),
        row("affine.load", &[Loads(Number(0)), AnySpace]),
        row("affine.parallel", &[Runs(Parallel)]),
        row("affine.prefetch", &[Reads(Number(0)), AnySpace]),
        row("affine.store", &[AnySpace]),
        row("affine.vector_load", &[AnySpace]),
        row("affine.vector_store", &[AnySpace]),
    ],
    others: &[],
};
