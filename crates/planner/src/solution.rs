//! Solutions: one offset for each buffer.

use crate::Problem;

/// Offsets for the buffers of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Offset of each buffer in bytes, in the order of `problem.buffers`.
    pub offsets: Vec<u64>,
    /// The largest `offset + size` over all buffers, in bytes; 0 without buffers.
    pub peak: u64,
}

impl Solution {
    /// Computes the peak of these offsets.
    ///
    /// The peak is `u64::MAX` if a buffer ends beyond `u64::MAX`;
    /// [`validate`](crate::validate::validate) rejects such a solution.
    pub fn new(problem: &Problem, offsets: Vec<u64>) -> Self {
        let ends = problem
            .buffers
            .iter()
            .zip(&offsets)
            .map(|(buffer, offset)| offset.saturating_add(buffer.size));
        let peak = ends.max().unwrap_or(0);
        Solution { offsets, peak }
    }
}
