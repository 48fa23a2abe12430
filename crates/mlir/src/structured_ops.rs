//! Accesses of structured operations and vector transfers to the elements of their memref operands, according to
//! their interfaces.

use crate::{
    ffi,
    ir::{Op, Type},
};
use melior::ir::TypeLike;
use smallvec::SmallVec;
use std::ffi::c_void;

/// Certain facts about the accesses of a structured operation; operands are given by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructuredAccess {
    /// Operands of which every element is written, and none is read through the operand.
    pub overwritten: SmallVec<[usize; 1]>,
    /// Pairs (read, written) of operands of the same shape. Each element of the first is read before the element at
    /// the same index of the second is written, and not after, unless a region touches memory by itself.
    pub elementwise: SmallVec<[(usize, usize); 2]>,
}

/// The accesses of `op` to its memrefs; empty if it does not implement `LinalgOp`.
pub fn structured_access(op: Op<'_>) -> StructuredAccess {
    unsafe extern "C" fn collect(written: isize, read: isize, user: *mut c_void) {
        // SAFETY: the shim passes the struct given below.
        let access = unsafe { &mut *user.cast::<StructuredAccess>() };
        match usize::try_from(read) {
            Ok(read) => access.elementwise.push((read, written as usize)),
            Err(_) => access.overwritten.push(written as usize),
        }
    }

    let mut access = StructuredAccess::default();
    // SAFETY: `collect` receives `access`, which outlives the call.
    unsafe {
        ffi::memplanStructuredAccess(
            op.to_raw(),
            Some(collect),
            (&raw mut access).cast::<c_void>(),
        );
    }
    access
}

/// Is an operand an input or output of an operation that implements `LinalgOp` and works on memrefs?
pub fn is_structured_operand(op: Op<'_>, operand: usize) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanIsStructuredOperand(op.to_raw(), operand as isize) }
}

/// Does `op` transfer all elements of the memref in their order, without a mask?
pub fn transfer_covers(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanTransferCovers(op.to_raw()) }
}

/// Does a vector have all elements of a memref with the identity layout in their order, if it starts at the first
/// one?
pub fn vector_covers(vector: Type<'_>, memref: Type<'_>) -> bool {
    // SAFETY: live types.
    unsafe { ffi::memplanVectorCovers(vector.to_raw(), memref.to_raw()) }
}
