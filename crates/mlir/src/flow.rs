//! Control flow: between the regions of an operation, and between blocks.

use crate::{
    ffi,
    ir::{Op, Region, Val, value_from_raw},
};
use melior::ir::RegionLike;
use smallvec::SmallVec;
use std::ffi::c_void;

/// One way that control may go between an operation and its regions.
#[derive(Clone, Debug)]
pub struct RegionEdge<'c> {
    /// The region that control goes to; `None`: back to the operation.
    pub region: Option<usize>,
    /// Forwarded values, and what they become: block arguments, or results.
    pub values: Vec<(Val<'c>, Val<'c>)>,
}

unsafe extern "C" fn collect_edge(edge: *const ffi::MemplanRegionEdge, user: *mut c_void) {
    // SAFETY: the shim hands over a valid edge and the vector passed below.
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

/// Where control goes when `op` starts. `None` if it does not implement
/// RegionBranchOpInterface, or contradicts itself.
pub fn entry_edges<'c>(op: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
    let mut all: Vec<RegionEdge<'c>> = Vec::new();
    // SAFETY: `collect_edge` gets `all` back, which outlives the call.
    let known = unsafe {
        ffi::memplanRegionBranchEntry(
            op.to_raw(),
            Some(collect_edge),
            (&raw mut all).cast::<c_void>(),
        )
    };
    known.then_some(all)
}

/// Where control goes after `terminator`, which ends a region. `None` if it or its parent does
/// not implement the interfaces, or they contradict each other.
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

/// What a branch hands to one of its successors.
#[derive(Clone, Debug)]
pub struct BranchOperands<'c> {
    /// So many leading arguments are made by the branch itself.
    pub produced: usize,
    /// The values that become the arguments after those.
    pub forwarded: SmallVec<[Val<'c>; 4]>,
}

/// What `op` hands to its successor number `successor`; `None` if it does not implement
/// BranchOpInterface.
pub fn branch_operands<'c>(op: Op<'c>, successor: usize) -> Option<BranchOperands<'c>> {
    unsafe extern "C" fn collect(
        produced: isize,
        count: isize,
        forwarded: *const mlir_sys::MlirValue,
        user: *mut c_void,
    ) {
        // SAFETY: the shim hands over `count` values and the struct passed below.
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
    // SAFETY: `collect` gets `operands` back, which outlives the call.
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

/// True if `region` is a body of the loop `op`.
pub fn is_loop_body(op: Op<'_>, region: Region<'_>) -> bool {
    // SAFETY: live handles.
    unsafe { ffi::memplanLoopHasRegion(op.to_raw(), region.to_raw()) }
}
