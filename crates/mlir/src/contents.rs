//! What structured operations, and transfers of vectors, do to the elements of the memrefs that they get, as their
//! interfaces say.

use crate::{
    ffi,
    ir::{Op, Type},
};
use melior::ir::TypeLike;
use smallvec::SmallVec;
use std::ffi::c_void;

/// What is known for certain of a structured operation; operands are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Operands of which every element is written, and none is read through them.
    pub overwritten: SmallVec<[usize; 1]>,
    /// Pairs of the same shape: each element of the first is read before the one at its place in
    /// the second is written, and not after, unless a region touches memory by itself.
    pub in_step: SmallVec<[(usize, usize); 2]>,
}

/// What `op` does to its memrefs, if it implements `LinalgOp`; else nothing.
pub fn structured_contents(op: Op<'_>) -> Contents {
    unsafe extern "C" fn collect(written: isize, read: isize, user: *mut c_void) {
        // SAFETY: the shim hands over the struct passed below.
        let contents = unsafe { &mut *user.cast::<Contents>() };
        match usize::try_from(read) {
            Ok(read) => contents.in_step.push((read, written as usize)),
            Err(_) => contents.overwritten.push(written as usize),
        }
    }

    let mut contents = Contents::default();
    // SAFETY: `collect` gets `contents` back, which outlives the call.
    unsafe {
        ffi::memplanStructuredContents(
            op.to_raw(),
            Some(collect),
            (&raw mut contents).cast::<c_void>(),
        );
    }
    contents
}

/// Is an operand an input or output of an operation that implements `LinalgOp`, and works on memrefs?
pub fn is_structured_operand(op: Op<'_>, operand: usize) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanIsStructuredOperand(op.to_raw(), operand as isize) }
}

/// Has the vector that `op` transfers exactly the elements of the memref, without a mask?
pub fn transfer_covers(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanTransferCovers(op.to_raw()) }
}

/// Has a vector exactly the elements of a memref that is laid out row by row, if it starts at the first one?
pub fn vector_covers(vector: Type<'_>, memref: Type<'_>) -> bool {
    // SAFETY: live types.
    unsafe { ffi::memplanVectorCovers(vector.to_raw(), memref.to_raw()) }
}
