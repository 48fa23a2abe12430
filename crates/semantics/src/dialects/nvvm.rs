//! The nvvm dialect.

use crate::statement::{
    Dialect,
    Statement::{Fence, WorkgroupBarrier},
    row,
};
use memplan_mlir::{build, constants::constant, ir::Op};

pub const DIALECT: Dialect = Dialect {
    name: "nvvm",
    rows: &[
        row("nvvm.barrier", &[Fence, WorkgroupBarrier(has_all_threads)]),
        row("nvvm.barrier0", &[Fence, WorkgroupBarrier(|_| true)]),
    ],
    others: &[],
    is_ordered: true,
};

/// A barrier may have an id, and a number of threads: then others go on. Threads may wait at barriers of different ids.
fn has_all_threads(barrier: Op<'_>) -> bool {
    let operands = build::short_integers(barrier, "operandSegmentSizes").unwrap_or_default();
    let id = memplan_mlir::ir::operand(barrier, 0);
    match operands[..] {
        [0, 0, _] => true,
        [1, 0, _] => id.and_then(constant).is_some(),
        _ => false,
    }
}
