//! The budget of steps and time of a search.

use super::Task;
use crate::watch::Until;

/// A number of steps, and when to end in any case.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'w> {
    left: u64,
    /// When to stop, whatever is left.
    pub until: Until<'w>,
}

/// Steps of a pass over `items` items that sorts them and queries a tree for each.
pub fn pass(items: usize) -> u64 {
    items as u64 * u64::from(items.max(1).ilog2() + 1)
}

impl<'w> Budget<'w> {
    /// The budget of a search.
    pub fn new(task: &Task<'w>) -> Self {
        Budget {
            left: task.options.effort.steps(),
            until: task.until,
        }
    }

    /// The budget of passes.
    pub fn of_passes(task: &Task<'w>) -> Self {
        Budget {
            left: task.passes,
            ..Budget::new(task)
        }
    }

    /// An unlimited number of steps.
    pub fn unlimited(until: Until<'w>) -> Self {
        Budget {
            left: u64::MAX,
            until,
        }
    }

    /// A budget of up to `share` of the steps. They stay in this budget.
    pub fn part(&self, share: u64) -> Self {
        Budget {
            left: self.share(share),
            ..*self
        }
    }

    /// The smaller of `share` and the steps that are left.
    pub fn share(&self, share: u64) -> u64 {
        share.min(self.left)
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes `steps` steps, or all that are left.
    pub fn take(&mut self, steps: u64) {
        self.left = self.left.saturating_sub(steps);
    }

    /// Takes `steps` steps if they and the time are left. Otherwise nothing is left afterwards.
    /// Later parts of a sequence do not run instead, so that less effort does a prefix of the work
    /// of more effort.
    pub fn affords(&mut self, steps: u64) -> bool {
        let affordable = steps <= self.left && !self.spent();
        self.left = if affordable { self.left - steps } else { 0 };
        affordable
    }

    /// Whether the budget is used up.
    pub fn spent(&self) -> bool {
        self.left == 0 || self.until.is_over()
    }
}
