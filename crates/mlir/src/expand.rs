//! Expands operations that MLIR's conversion to LLVM leaves.

use crate::{ffi, ir::Op};

/// Expands strided copies, softmax on memrefs, scans of vectors, masked transfers, and control flow that waits in `op`.
/// Returns how many were expanded. The dialects `arith`, `cf`, `llvm`, `math`, `memref`, `scf` and `vector` must be loaded.
pub fn expand_ops(op: Op<'_>) -> u64 {
    // SAFETY: a live operation, and the function only rewrites what is in it.
    unsafe { ffi::memplanExpandOps(op.to_raw()) }.unsigned_abs()
}
