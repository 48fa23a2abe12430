//! How much a chain does in one call, and keeps between strips.

use crate::{
    chain::Spread,
    frontiers::Frontiers,
    program::{Program, Role},
};

/// How much a chain does in one call, and keeps between strips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// How often its operations are executed: each in the strips in which it has rows.
    pub executions: u64,
    /// Bytes that are copied between strips.
    pub copied: u64,
    /// Number of line buffers and borders.
    pub line_buffers: u64,
    /// Their bytes.
    pub line_bytes: u64,
}

impl Amounts {
    /// Those of a chain along one or two dimensions, the innermost first.
    pub fn of(program: &Program, splits: &[(&Spread, &Frontiers)]) -> Self {
        let strips = |dimension: usize| splits[dimension].1.strips();
        let all: i64 = (0..splits.len()).map(strips).fold(1, i64::saturating_mul);
        let mut amounts = Self::default();
        for link in 0..splits[0].0.links.len() {
            let runs = splits
                .iter()
                .map(|(_, frontiers)| frontiers.nodes[link].strips(frontiers.first, frontiers.end));
            let runs = runs.fold(1, i64::saturating_mul);
            amounts.executions = amounts.executions.saturating_add(runs.unsigned_abs());
        }
        for (place, split) in splits[0].0.buffers.iter().enumerate() {
            if split.role != Role::Between {
                continue;
            }
            let buffer = program.buffer(split.buffer);
            let bytes = |rows: &[i64], times: i64| {
                let mut shape = buffer.shape.clone();
                for ((spread, _), rows) in splits.iter().zip(rows) {
                    shape[spread.buffers[place].dimension as usize] = *rows;
                }
                let sizes = shape.iter().chain(std::iter::once(&times));
                sizes.fold(buffer.element, |bytes, size| {
                    bytes.saturating_mul((*size).max(0).unsigned_abs())
                })
            };
            let front = |dimension: usize| &splits[dimension].1.buffers[place];
            let inner = front(0);
            if inner.is_carried() {
                let columns = splits.get(1).map_or(1, |_| front(1).rows());
                amounts.copy(bytes(&[inner.overlap(), columns], all));
                amounts.keep(bytes(&[inner.rows(), columns], 1));
            }
            if splits.len() > 1 && front(1).is_carried() {
                let rows = inner.made.done(splits[0].1.end - 1);
                // Each strip but the last stores a border, and each but the first loads it.
                let times = 2 * (strips(1) - 1);
                amounts.copy(bytes(&[rows, front(1).overlap()], times));
                amounts.keep(bytes(&[inner.made.limit, front(1).overlap()], 1));
            }
        }
        amounts
    }

    fn copy(&mut self, bytes: u64) {
        self.copied = self.copied.saturating_add(bytes);
    }

    fn keep(&mut self, bytes: u64) {
        self.line_buffers += 1;
        self.line_bytes = self.line_bytes.saturating_add(bytes);
    }
}
