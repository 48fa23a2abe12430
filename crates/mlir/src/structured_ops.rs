//! Accesses of structured operations and vector transfers to the elements of their memref operands, according to
//! their interfaces.

use crate::{
    ffi,
    ir::{Op, Type, Val, blocks, changes, op_from_raw, operands, ops, parent_block, regions},
};
use melior::ir::{TypeLike, ValueLike};
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

/// What a structured operation does that computes nothing; operands are given by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StructuredTransfer {
    /// It copies all elements.
    Copy {
        /// The operand that is read.
        from: usize,
        /// The operand that is written.
        to: usize,
        /// Dimension i of the written memref is this dimension of the read one; `None` if the order is the same.
        order: Option<Vec<i64>>,
    },
    /// It repeats the elements of a memref in another one.
    Broadcast {
        /// The operand that is read.
        from: usize,
        /// The operand that is written.
        to: usize,
        /// Dimension i of the written memref is this dimension of the read one, or for -1 none. Other dimensions of the
        /// read one are read at index 0.
        order: Vec<i64>,
    },
    /// It writes one value to all elements.
    Fill {
        /// The operand with the value; `None` if its region uses a value from outside.
        value: Option<usize>,
        /// The operand that is written.
        memref: usize,
    },
}

/// Whether `op` implements `LinalgOp` and only copies, broadcasts or fills, whatever its name is.
pub fn structured_transfer(op: Op<'_>) -> Option<StructuredTransfer> {
    unsafe extern "C" fn collect(
        from: isize,
        to: isize,
        rank: isize,
        order: *const i64,
        user: *mut c_void,
    ) {
        // SAFETY: the shim passes the option given below.
        let transfer = unsafe { &mut *user.cast::<Option<StructuredTransfer>>() };
        let to = to as usize;
        let order: Option<Vec<i64>> = usize::try_from(rank).ok().map(|rank| {
            // SAFETY: the shim passes `rank` numbers, unless there are none.
            (0..rank).map(|at| unsafe { *order.add(at) }).collect()
        });
        *transfer = Some(match order {
            Some(order) if order.contains(&-1) => StructuredTransfer::Broadcast {
                from: from as usize,
                to,
                order,
            },
            Some(order) => StructuredTransfer::Copy {
                from: from as usize,
                to,
                order: (!order.iter().copied().eq(0..order.len() as i64)).then_some(order),
            },
            None => StructuredTransfer::Fill {
                value: usize::try_from(from).ok(),
                memref: to,
            },
        });
    }

    let mut transfer = None;
    // SAFETY: `collect` receives `transfer`, which outlives the call.
    unsafe {
        ffi::memplanStructuredTransfer(
            op.to_raw(),
            Some(collect),
            (&raw mut transfer).cast::<c_void>(),
        );
    }
    transfer
}

/// Inserts a `linalg.fill` before an operation. The dialect has to be loaded.
pub fn fill_before<'c>(before: Op<'c>, value: Val<'c>, memref: Val<'c>) -> Option<Op<'c>> {
    parent_block(before).into_iter().for_each(changes::inserted);
    // SAFETY: live handles.
    op_from_raw(unsafe { ffi::memplanCreateFill(before.to_raw(), value.to_raw(), memref.to_raw()) })
}

/// The value from outside of its region that a fill without an operand for it writes.
pub fn yielded_value(fill: Op<'_>) -> Option<Val<'_>> {
    let body = regions(fill).flat_map(blocks).next()?;
    let end = ops(body).last()?;
    operands(end).next()
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
