//! affine.

use crate::op_memory::RegionOrder::Parallel;
use crate::statement::{
    Bounds, Chooser, Dialect, Maps,
    Operands::{Memrefs, Number},
    Speculation::{Interface, Map, StaticBasis},
    Statement::{AnySpace, Chooses, Counts, Loads, NeverEnds, Reads, Runs, Speculates, Writes},
    row,
};

const FOR: Maps = Maps {
    lower: "lowerBoundMap",
    upper: "upperBoundMap",
    steps: "step",
    groups: None,
};
const PARALLEL: Maps = Maps {
    lower: "lowerBoundsMap",
    upper: "upperBoundsMap",
    steps: "steps",
    groups: Some(["lowerBoundsGroups", "upperBoundsGroups"]),
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
        // The interface gives bounds only where they are constants.
        row("affine.for", &[Counts(Bounds::Maps(FOR))]),
        row("affine.if", &[Chooses(Chooser::Set)]),
        row("affine.linearize_index", &[Speculates(Interface)]),
        row("affine.load", &[Loads(Number(0)), AnySpace]),
        row("affine.max", &[Speculates(Map)]),
        row("affine.min", &[Speculates(Map)]),
        // The interface gives no bounds, and no induction variables.
        row(
            "affine.parallel",
            &[Runs(Parallel), Counts(Bounds::Maps(PARALLEL))],
        ),
        row("affine.prefetch", &[Reads(Number(0)), AnySpace]),
        row("affine.store", &[AnySpace]),
        row("affine.vector_load", &[AnySpace]),
        row("affine.vector_store", &[AnySpace]),
    ],
    others: &[],
};
