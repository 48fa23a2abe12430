//! Models of `BufferDeallocationOpInterface`, by which dialects tell upstream's deallocation what their
//! operations do with memory.

use crate::{
    ffi,
    ir::{Op, operands, results},
};

/// Who owns a memref that an operation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The owners of its operands, or somebody else.
    Shared,
    /// Whoever gets it.
    New,
}

/// What an operation does with memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The numbers of the operands which their owners do not own any more behind the operation.
    pub takes: Vec<usize>,
    /// For each result; of those that are memrefs.
    pub gives: Vec<Gives>,
}

/// What the model of an operation says. It is asked about a copy of the operation in a function of its own, so
/// it sees no other operations. `None` where the operation has no model, has regions or successors, or the model
/// does what an [`Answer`] cannot say, such as to replace the operation.
pub fn ask(op: Op<'_>) -> Option<Answer> {
    let mut takes = vec![false; operands(op).count()];
    let mut gives = vec![ffi::MEMPLAN_GIVES_SHARED; results(op).count()];
    // SAFETY: a live operation, and room for as many answers as it has operands and results.
    let answers = unsafe {
        ffi::memplanDeallocationModel(op.to_raw(), takes.as_mut_ptr(), gives.as_mut_ptr())
    };
    answers.then(|| Answer {
        takes: (0..takes.len()).filter(|at| takes[*at]).collect(),
        gives: gives
            .into_iter()
            .map(|gives| match gives {
                ffi::MEMPLAN_GIVES_NEW => Gives::New,
                _ => Gives::Shared,
            })
            .collect(),
    })
}
