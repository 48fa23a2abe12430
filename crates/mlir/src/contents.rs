//! What an operation does to the elements of the memrefs that it gets.

use crate::{ffi, ir::Op};
use smallvec::SmallVec;
use std::ffi::c_void;

/// What is known for certain of an operation; operands are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Operands of which every element is written, and none is read through them.
    pub overwritten: SmallVec<[usize; 1]>,
    /// Pairs of the same shape: each element of the first is read before the one at its place in
    /// the second is written, and not after.
    pub in_step: SmallVec<[(usize, usize); 2]>,
    /// Pairs of the same shape and element type, of any layouts, with the same promise.
    pub matches: SmallVec<[(usize, usize); 2]>,
    /// The pairs in step where the elements are copied, and nothing else is done.
    pub copied: SmallVec<[(usize, usize); 1]>,
}

/// What `op` does to its memrefs, of those that the shim knows.
pub fn contents(op: Op<'_>) -> Contents {
    unsafe extern "C" fn collect(
        kind: ffi::MemplanContentsKind,
        operand: isize,
        other: isize,
        user: *mut c_void,
    ) {
        // SAFETY: the shim hands over the struct passed below.
        let contents = unsafe { &mut *user.cast::<Contents>() };
        let (operand, other) = (operand as usize, other as usize);
        match kind {
            ffi::MEMPLAN_OVERWRITES => contents.overwritten.push(operand),
            ffi::MEMPLAN_IN_STEP => contents.in_step.push((operand, other)),
            ffi::MEMPLAN_MATCHES => contents.matches.push((operand, other)),
            ffi::MEMPLAN_COPIES => {
                contents.in_step.push((operand, other));
                contents.copied.push((operand, other));
            }
            _ => {}
        }
    }

    let mut contents = Contents::default();
    // SAFETY: `collect` gets `contents` back, which outlives the call.
    unsafe {
        ffi::memplanContents(
            op.to_raw(),
            Some(collect),
            (&raw mut contents).cast::<c_void>(),
        );
    }
    contents
}
