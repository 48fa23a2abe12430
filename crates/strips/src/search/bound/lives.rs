//! Bytes of buffers over steps, where reuse in place is free.

use crate::{
    in_place::Pairs,
    program::{BufferId, NodeId},
};
use rustc_hash::FxHashMap;

/// The first and the last step that touches each buffer, and its bytes.
#[derive(Default)]
pub struct Lives {
    of: FxHashMap<BufferId, (usize, usize, u64)>,
}

impl Lives {
    /// A step touches a buffer; steps come in order.
    pub fn touch(&mut self, buffer: BufferId, at: usize, bytes: u64) {
        let life = self.of.entry(buffer).or_insert((at, at, bytes));
        life.1 = life.1.max(at);
    }

    /// The most bytes at a step. Where a buffer could take over another one, the smaller of both costs nothing.
    pub fn peak(&self, steps: &[NodeId], pairs: &Pairs) -> u64 {
        let mut changes = vec![0_i128; steps.len() + 1];
        for (first, last, bytes) in self.of.values() {
            changes[*first] += i128::from(*bytes);
            changes[last + 1] -= i128::from(*bytes);
        }
        let (mut now, mut peak) = (0, 0);
        for (at, step) in steps.iter().enumerate() {
            now += changes[at];
            let shared = pairs.at(*step).iter().filter_map(|(from, into)| {
                let (from, into) = (self.of.get(from)?, self.of.get(into)?);
                (from.1 == at && into.0 == at).then_some(from.2.min(into.2))
            });
            peak = peak.max(now - i128::from(shared.max().unwrap_or(0)));
        }
        u64::try_from(peak).unwrap_or(u64::MAX)
    }
}
