//! A plan: one offset for each buffer.

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
    /// The solution with these offsets; works out the peak.
    ///
    /// Offsets that push a buffer beyond `u64::MAX` give a peak of `u64::MAX`;
    /// [`validate`](crate::validate::validate) rejects them.
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
