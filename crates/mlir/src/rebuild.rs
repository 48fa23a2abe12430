//! Changes of existing operations: more or fewer operands and results, and new blocks.

use crate::{
    ffi,
    ir::{Block, Op, Val, changes, op_from_raw, value_from_raw},
};
use melior::ir::{BlockLike, Location, Type, TypeLike, ValueLike};
use mlir_sys::{MlirType, MlirValue};

/// Replaces an operation by one with more operands and results, appended to those that it has. The old operation is
/// erased.
pub fn recreate<'c>(op: Op<'c>, operands: &[Val<'c>], results: &[Type<'c>]) -> Option<Op<'c>> {
    changes::all();
    let operands: Vec<MlirValue> = operands.iter().map(|value| value.to_raw()).collect();
    let results: Vec<MlirType> = results.iter().map(|r#type| r#type.to_raw()).collect();
    // SAFETY: live handles; the arrays have the lengths given.
    op_from_raw(unsafe {
        ffi::memplanRecreate(
            op.to_raw(),
            operands.len() as isize,
            operands.as_ptr(),
            results.len() as isize,
            results.as_ptr(),
        )
    })
}

/// Replaces an operation by one without some of its results, which must be unused. The terminators of its blocks
/// yield only the others. The old operation is erased.
pub fn drop_results<'c>(op: Op<'c>, numbers: &[usize]) -> Option<Op<'c>> {
    changes::all();
    let numbers: Vec<isize> = numbers.iter().map(|number| *number as isize).collect();
    // SAFETY: a live operation; the array has the length given.
    op_from_raw(unsafe {
        ffi::memplanDropResults(op.to_raw(), numbers.len() as isize, numbers.as_ptr())
    })
}

/// Replaces a loop like `scf.for` by one without the iteration arguments of memref type that are always their first
/// value. Their uses, and those of the results, use that value. Returns the loop that is there now, or `None` for another
/// operation.
pub fn drop_invariants<'c>(op: Op<'c>) -> Option<Op<'c>> {
    changes::all();
    // SAFETY: a live operation.
    op_from_raw(unsafe { ffi::memplanDropInvariants(op.to_raw()) })
}

/// Forwards more values to a successor of a branch. False if the operation is no branch.
pub fn append_to_successor<'c>(branch: Op<'c>, successor: usize, values: &[Val<'c>]) -> bool {
    changes::all();
    let values: Vec<MlirValue> = values.iter().map(|value| value.to_raw()).collect();
    // SAFETY: live handles; the array has the length given.
    unsafe {
        ffi::memplanBranchAppend(
            branch.to_raw(),
            successor as isize,
            values.len() as isize,
            values.as_ptr(),
        )
    }
}

/// Splits the edge to a successor of a branch: inserts a block on that edge. Returns the branch at its end.
pub fn split_edge<'c>(branch: Op<'c>, successor: usize) -> Option<Op<'c>> {
    changes::all();
    // SAFETY: a live operation; the index is below the number of successors.
    op_from_raw(unsafe { ffi::memplanSplitEdge(branch.to_raw(), successor as isize) })
}

/// Splits all edges to the block that starts with `first`. Each new block starts with a copy of `first`. The old
/// block gets the results of the copies as arguments, after its other arguments, and `first` is erased. Returns false
/// and changes nothing if a predecessor is not a branch that forwards all operands.
pub fn split_landing_pad(first: Op<'_>) -> bool {
    changes::all();
    // SAFETY: a live operation of a block.
    unsafe { ffi::memplanSplitLandingPad(first.to_raw()) }
}

/// Adds an empty else-branch to an `scf.if` or `affine.if` without results. Returns its terminator.
pub fn add_else<'c>(op: Op<'c>) -> Option<Op<'c>> {
    changes::all();
    // SAFETY: a live operation.
    op_from_raw(unsafe { ffi::memplanAddElse(op.to_raw()) })
}

/// Appends an argument to a block.
pub fn append_argument<'c>(
    block: Block<'c>,
    r#type: Type<'c>,
    location: Location<'c>,
) -> Option<Val<'c>> {
    changes::all();
    // SAFETY: live handles.
    value_from_raw(unsafe {
        mlir_sys::mlirBlockAddArgument(block.to_raw(), r#type.to_raw(), location.to_raw())
    })
}
