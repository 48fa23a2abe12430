//! Statistics that several threads count.

use memplan_mlir::pass::Run;
use std::sync::atomic::{AtomicU64, Ordering};

/// One number for each statistic of a pass, in the order of its declaration.
pub struct Counts<const N: usize>([AtomicU64; N]);

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; N])
    }
}

impl<const N: usize> Counts<N> {
    /// Adds an amount to each statistic.
    pub fn add(&self, amounts: [u64; N]) {
        for (count, amount) in self.0.iter().zip(amounts) {
            count.fetch_add(amount, Ordering::Relaxed);
        }
    }

    /// Passes the statistics to MLIR.
    pub fn publish(self, run: &Run<'_>) {
        for (index, count) in self.0.into_iter().enumerate() {
            run.count(index, count.into_inner());
        }
    }
}
