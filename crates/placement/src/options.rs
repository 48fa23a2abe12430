//! How much work is done.

/// How much work is done, in steps, so that the result does not depend on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Rounds of prices for the lower bound.
    pub rounds: u32,
    /// Attempts to improve a plan.
    pub attempts: u32,
    /// Touches, gaps and positions that branch and bound visits, in all nodes together.
    pub steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rounds: 120,
            attempts: 20_000,
            steps: 150_000,
        }
    }
}
