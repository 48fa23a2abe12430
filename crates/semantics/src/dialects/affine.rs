//! affine.

use crate::op_memory::RegionOrder::Parallel;
use crate::statement::{
    Dialect,
    Operands::{Memrefs, Number},
    Speculation::{Interface, Map, StaticBasis},
    Statement::{AnySpace, Loads, NeverEnds, Reads, Runs, Speculates, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "affine",
    rows: &[
        row("affine.apply", &[Speculates(Map)]),
        row("affine.delinearize_index", &[Speculates(StaticBasis)]),
        // Its tag's element is a map of values: not followed.
        row(
            "affine.dma_start",
            &[Reads(Memrefs), Writes(Memrefs), NeverEnds],
        ),
        row("affine.dma_wait", &[Reads(Memrefs)]),
        row("affine.linearize_index", &[Speculates(Interface)]),
        row("affine.load", &[Loads(Number(0)), AnySpace]),
        row("affine.max", &[Speculates(Map)]),
        row("affine.min", &[Speculates(Map)]),
        row("affine.parallel", &[Runs(Parallel)]),
        row("affine.prefetch", &[Reads(Number(0)), AnySpace]),
        row("affine.store", &[AnySpace]),
        row("affine.vector_load", &[AnySpace]),
        row("affine.vector_store", &[AnySpace]),
    ],
    others: &[],
};
