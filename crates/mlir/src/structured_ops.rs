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

/// A loop of a structured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedLoop {
    /// Its iterations, if they are static.
    pub extent: Option<u64>,
    /// Whether iterations write different elements.
    pub is_parallel: bool,
}

/// An index that is linear in loops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearIndex {
    /// Loops by number, with their coefficients, which are not 0.
    pub terms: SmallVec<[(u32, i64); 2]>,
    /// What is added to that.
    pub constant: i64,
}

/// A memref operand whose elements are accessed by such indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedOperand {
    /// Its number.
    pub operand: u32,
    /// Whether elements are read.
    pub reads: bool,
    /// Whether elements are written.
    pub writes: bool,
    /// An index for each dimension.
    pub indices: SmallVec<[LinearIndex; 4]>,
}

/// The loops that a structured operation stands for, and what they access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopNest {
    /// The loops, outermost first.
    pub loops: SmallVec<[NestedLoop; 6]>,
    /// Its memref operands.
    pub operands: SmallVec<[IndexedOperand; 3]>,
}

/// The loops of `op`, if it implements `LinalgOp`, works on memrefs, and accesses them by linear indices.
pub fn loop_nest(op: Op<'_>) -> Option<LoopNest> {
    unsafe extern "C" fn add_loop(extent: i64, is_parallel: bool, user: *mut c_void) {
        // SAFETY: the shim passes the struct given below.
        let nest = unsafe { &mut *user.cast::<LoopNest>() };
        nest.loops.push(NestedLoop {
            extent: u64::try_from(extent).ok(),
            is_parallel,
        });
    }
    unsafe extern "C" fn add_operand(operand: isize, reads: bool, writes: bool, user: *mut c_void) {
        // SAFETY: as above.
        let nest = unsafe { &mut *user.cast::<LoopNest>() };
        nest.operands.push(IndexedOperand {
            operand: operand as u32,
            reads,
            writes,
            indices: SmallVec::new(),
        });
    }
    unsafe extern "C" fn add_index(coefficients: *const i64, constant: i64, user: *mut c_void) {
        // SAFETY: as above.
        let nest = unsafe { &mut *user.cast::<LoopNest>() };
        let loops = nest.loops.len();
        let Some(last) = nest.operands.last_mut() else {
            return;
        };
        let terms = (0..loops).map(|at| {
            // SAFETY: the shim passes a coefficient for each loop.
            (at as u32, unsafe { *coefficients.add(at) })
        });
        last.indices.push(LinearIndex {
            terms: terms.filter(|(_, coefficient)| *coefficient != 0).collect(),
            constant,
        });
    }

    let mut nest = LoopNest::default();
    // SAFETY: the callbacks receive `nest`, which outlives the call.
    let is_known = unsafe {
        ffi::memplanLoopNest(
            op.to_raw(),
            Some(add_loop),
            Some(add_operand),
            Some(add_index),
            (&raw mut nest).cast::<c_void>(),
        )
    };
    is_known.then_some(nest)
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
