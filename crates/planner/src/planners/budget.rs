//! How much may still be done for a problem.

use super::Task;
use std::time::Instant;

/// Steps, and a time at which to stop where one was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: u64,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
}

/// Steps of a pass over `items` items that sorts them and asks a tree for each.
pub fn pass(items: usize) -> u64 {
    items as u64 * u64::from(items.max(1).ilog2() + 1)
}

impl Budget {
    /// What the task allows for a search.
    pub fn new(task: &Task<'_>) -> Self {
        Budget {
            left: task.options.effort.steps(),
            deadline: task.deadline,
        }
    }

    /// What the task allows for passes.
    pub fn of_passes(task: &Task<'_>) -> Self {
        Budget {
            left: task.passes,
            ..Budget::new(task)
        }
    }

    /// Any number of steps until the time is over.
    pub fn unlimited(deadline: Option<Instant>) -> Self {
        Budget {
            left: u64::MAX,
            deadline,
        }
    }

    /// A budget of up to `share` of the steps, which are not taken yet.
    pub fn part(&self, share: u64) -> Self {
        Budget {
            left: self.share(share),
            ..*self
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

    /// Takes `steps` steps if there are so many, and time. Otherwise nothing is left: what comes later
    /// in a sequence is not done instead, so that less effort does a part of what more effort does.
    pub fn affords(&mut self, steps: u64) -> bool {
        let affordable = steps <= self.left && !self.spent();
        self.left = if affordable { self.left - steps } else { 0 };
        affordable
    }

    /// Whether to stop.
    pub fn spent(&self) -> bool {
        self.left == 0
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
