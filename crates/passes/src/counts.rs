//! Statistics, counted by the work on several functions at a time.

use memplan_mlir::pass::Run;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number for each statistic that a pass declares, in that order.
pub struct Counts<const N: usize>([AtomicU64; N]);

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; N])
    }
}

impl<const N: usize> Counts<N> {
    /// Adds to each.
    pub fn add(&self, amounts: [u64; N]) {
        for (count, amount) in self.0.iter().zip(amounts) {
            count.fetch_add(amount, Ordering::Relaxed);
        }
    }

    /// Tells MLIR.
    pub fn tell(self, run: &Run<'_>) {
        for (index, count) in self.0.into_iter().enumerate() {
            run.count(index, count.into_inner());
        }
    }
}
