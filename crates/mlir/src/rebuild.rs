//! Operations with more operands and results than they had, or fewer, and new blocks.

use crate::{
    ffi,
    ir::{Block, Op, Val, changes, op_from_raw, value_from_raw},
};
use melior::ir::{BlockLike, Location, Type, TypeLike, ValueLike};
use mlir_sys::{MlirType, MlirValue};

/// An operation anew, with more operands and results behind those that it has. The old one is erased.
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

/// An operation anew, without some of its results, which have no use; the last operations of its blocks yield the others alone.
/// The old one is erased.
pub fn drop_results<'c>(op: Op<'c>, numbers: &[usize]) -> Option<Op<'c>> {
    changes::all();
    let numbers: Vec<isize> = numbers.iter().map(|number| *number as isize).collect();
    // SAFETY: a live operation; the array has the length given.
    op_from_raw(unsafe {
        ffi::memplanDropResults(op.to_raw(), numbers.len() as isize, numbers.as_ptr())
    })
}

/// Forwards more values to a successor of a branch. False if it is none.
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

/// Puts a block in front of a successor of a branch, for that edge alone; returns the branch that ends
/// it.
pub fn split_edge<'c>(branch: Op<'c>, successor: usize) -> Option<Op<'c>> {
    changes::all();
    // SAFETY: a live operation; the index is below the number of successors.
    op_from_raw(unsafe { ffi::memplanSplitEdge(branch.to_raw(), successor as isize) })
}

/// Gives each edge into the block that starts with `first` a block of its own, which starts with a copy of `first`. What
/// that gives, the block gets as arguments behind its others, and `first` is erased. False, and nothing is changed, if it
/// has another predecessor than branches that forward all operands.
pub fn split_landing_pad(first: Op<'_>) -> bool {
    changes::all();
    // SAFETY: a live operation of a block.
    unsafe { ffi::memplanSplitLandingPad(first.to_raw()) }
}

/// Gives an `scf.if` or `affine.if` without results an empty else-branch; returns its terminator.
pub fn add_else<'c>(op: Op<'c>) -> Option<Op<'c>> {
    changes::all();
    // SAFETY: a live operation.
    op_from_raw(unsafe { ffi::memplanAddElse(op.to_raw()) })
}

/// Gives a block one more argument behind the others.
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
