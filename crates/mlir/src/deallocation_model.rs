//! Models of `BufferDeallocationOpInterface`, with which dialects describe the ownership of their operations to
//! upstream's deallocation pass.

use crate::{
    ffi,
    ir::{Op, operands, results},
};

/// The owner of a memref result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOwnership {
    /// The owner of an operand, or somebody else.
    Shared,
    /// The caller owns new memory.
    New,
}

/// The effect of an operation on the ownership of its memrefs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeallocationModel {
    /// The numbers of the operands whose owners no longer own them after the operation.
    pub consumed: Vec<usize>,
    /// The owner of each result; only meaningful for memrefs.
    pub results: Vec<ResultOwnership>,
}

/// Queries the model of an operation. It is applied to a copy of the operation in a function of its own, so it sees
/// no other operations. `None` if the operation has no model, has regions or successors, or if the model does more
/// than a [`DeallocationModel`] can express, such as replacing the operation.
pub fn query(op: Op<'_>) -> Option<DeallocationModel> {
    let mut consumed = vec![false; operands(op).count()];
    let mut ownership = vec![ffi::MEMPLAN_RESULT_SHARED; results(op).count()];
    // SAFETY: a live operation; the arrays have an entry for each operand and result.
    let has_model = unsafe {
        ffi::memplanDeallocationModel(op.to_raw(), consumed.as_mut_ptr(), ownership.as_mut_ptr())
    };
    has_model.then(|| DeallocationModel {
        consumed: (0..consumed.len()).filter(|at| consumed[*at]).collect(),
        results: ownership
            .into_iter()
            .map(|one| match one {
                ffi::MEMPLAN_RESULT_NEW => ResultOwnership::New,
                _ => ResultOwnership::Shared,
            })
            .collect(),
    })
}
