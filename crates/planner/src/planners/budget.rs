//! How much may still be done for a problem.

use crate::Options;
use std::time::Instant;

/// Steps, and a time at which to stop where one was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: u64,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// What the options allow, from now on.
    pub fn new(options: &Options) -> Self {
        Budget {
            left: options.effort.steps(),
            deadline: options.time_limit.map(|limit| Instant::now() + limit),
        }
    }

    /// Up to `share` steps, as far as there are any.
    pub fn share(&self, share: u64) -> u64 {
        share.min(self.left)
    }

    /// Steps that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes `steps` steps, or all that are left.
    pub fn take(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Whether to stop.
    pub fn spent(&self) -> bool {
        self.left == 0
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
