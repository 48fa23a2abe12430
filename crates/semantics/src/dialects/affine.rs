//! The affine dialect.

use crate::op_memory::RegionOrder::Parallel;
use crate::statement::{
    Bounds, Chooser,
    Covers::OneElement,
    Dialect,
    ElementIndices::Map,
    Maps,
    Operands::{Memrefs, Number},
    Returns::Always,
    Speculation::{self, Interface, StaticBasis},
    Statement::{
        AnySpace, Chooses, Counts, Extends, Least, Loads, LoadsElement, NeverEnds, Overwrites,
        Reads, Returns, Runs, Speculates, Strides, Traps, Writes,
    },
    Strides::{Any, AnyOf},
    Traps::Never,
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
        row("affine.apply", &[Speculates(Speculation::Map)]),
        row("affine.delinearize_index", &[Speculates(StaticBasis)]),
        // The element of its tag is a map of values, which is not supported.
        row(
            "affine.dma_start",
            &[Reads(Memrefs), Writes(Memrefs), NeverEnds],
        ),
        row("affine.dma_wait", &[Reads(Memrefs)]),
        // The interface provides bounds only if they are constants.
        row(
            "affine.for",
            &[
                Counts(Bounds::Maps(FOR)),
                Extends,
                Traps(Never),
                Returns(Always),
            ],
        ),
        row("affine.if", &[Chooses(Chooser::Set), Extends, Traps(Never)]),
        row("affine.linearize_index", &[Speculates(Interface)]),
        row(
            "affine.load",
            &[
                Loads(Number(0)),
                LoadsElement(Map("map")),
                AnySpace,
                Strides(Any),
            ],
        ),
        row("affine.max", &[Speculates(Speculation::Map)]),
        row("affine.min", &[Speculates(Speculation::Map), Least("map")]),
        // The interface provides neither bounds nor induction variables.
        row(
            "affine.parallel",
            &[
                Runs(Parallel),
                Counts(Bounds::Maps(PARALLEL)),
                Returns(Always),
            ],
        ),
        row("affine.prefetch", &[Reads(Number(0)), AnySpace]),
        row(
            "affine.store",
            &[
                AnySpace,
                Overwrites(1, OneElement(Map("map"))),
                Strides(AnyOf(1)),
            ],
        ),
        row("affine.vector_load", &[AnySpace]),
        row("affine.vector_store", &[AnySpace]),
        row("affine.yield", &[Traps(Never)]),
    ],
    others: &[],
    is_ordered: false,
};
