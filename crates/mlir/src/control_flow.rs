//! Control flow between the regions of an operation, and between blocks.

use crate::{
    ffi,
    ir::{Op, Region, Val, value_from_raw},
};
use melior::ir::RegionLike;
use smallvec::SmallVec;
use std::ffi::c_void;

/// A possible transfer of control between an operation and its regions.
#[derive(Clone, Debug)]
pub struct RegionEdge<'c> {
    /// The region that control enters; `None`: the operation is left.
    pub region: Option<usize>,
    /// Pairs of a forwarded value and the block argument or result that it becomes.
    pub values: Vec<(Val<'c>, Val<'c>)>,
}

unsafe extern "C" fn collect_edge(edge: *const ffi::MemplanRegionEdge, user: *mut c_void) {
    // SAFETY: the shim passes a valid edge, and the vector given below.
    let (edge, all) = unsafe { (&*edge, &mut *user.cast::<Vec<RegionEdge<'static>>>()) };
    let pairs = (0..edge.count as usize).filter_map(|index| {
        // SAFETY: both arrays have `count` entries.
        let (from, to) = unsafe { (*edge.operands.add(index), *edge.inputs.add(index)) };
        Some((value_from_raw(from)?, value_from_raw(to)?))
    });
    all.push(RegionEdge {
        region: usize::try_from(edge.region).ok(),
        values: pairs.collect(),
    });
}

/// The edges that control may take when `op` starts. `None` if it does not implement RegionBranchOpInterface, or
/// contradicts itself.
pub fn entry_edges<'c>(op: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
    let mut all: Vec<RegionEdge<'c>> = Vec::new();
    // SAFETY: `collect_edge` receives `all`, which outlives the call.
    let known = unsafe {
        ffi::memplanRegionBranchEntry(
            op.to_raw(),
            Some(collect_edge),
            (&raw mut all).cast::<c_void>(),
        )
    };
    known.then_some(all)
}

/// The edges that control may take after `terminator`, which ends a region. `None` if it or its parent does not
/// implement the interfaces, or they contradict each other.
pub fn terminator_edges<'c>(terminator: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
    let mut all: Vec<RegionEdge<'c>> = Vec::new();
    // SAFETY: as above.
    let known = unsafe {
        ffi::memplanRegionBranchTerminator(
            terminator.to_raw(),
            Some(collect_edge),
            (&raw mut all).cast::<c_void>(),
        )
    };
    known.then_some(all)
}

/// Operands that a branch passes to one of its successors.
#[derive(Clone, Debug)]
pub struct BranchOperands<'c> {
    /// Number of leading block arguments that the branch produces itself.
    pub produced: usize,
    /// The values that become the block arguments after those.
    pub forwarded: SmallVec<[Val<'c>; 4]>,
}

/// The operands that `op` passes to its successor number `successor`. `None` if it does not implement
/// BranchOpInterface.
pub fn branch_operands<'c>(op: Op<'c>, successor: usize) -> Option<BranchOperands<'c>> {
    unsafe extern "C" fn collect(
        produced: isize,
        count: isize,
        forwarded: *const mlir_sys::MlirValue,
        user: *mut c_void,
    ) {
        // SAFETY: the shim passes `count` values, and the struct given below.
        let out = unsafe { &mut *user.cast::<BranchOperands<'static>>() };
        out.produced = produced as usize;
        for index in 0..count as usize {
            // SAFETY: as above.
            out.forwarded
                .extend(value_from_raw(unsafe { *forwarded.add(index) }));
        }
    }

    let mut operands: BranchOperands<'c> = BranchOperands {
        produced: 0,
        forwarded: SmallVec::new(),
    };
    // SAFETY: `collect` receives `operands`, which outlives the call.
    let known = unsafe {
        ffi::memplanBranchOperands(
            op.to_raw(),
            successor as isize,
            Some(collect),
            (&raw mut operands).cast::<c_void>(),
        )
    };
    known.then_some(operands)
}

/// Is `region` a body of the loop `op`?
pub fn is_loop_body(op: Op<'_>, region: Region<'_>) -> bool {
    // SAFETY: live handles.
    unsafe { ffi::memplanLoopHasRegion(op.to_raw(), region.to_raw()) }
}
