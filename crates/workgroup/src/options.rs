//! Options of plans.

use memplan_planner::Effort;

/// What to plan, and with how much effort. All efforts are in steps, so that the same kernel gets the same plan everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Adds barriers where they lower the bytes.
    pub insert_barriers: bool,
    /// The most barriers that are added.
    pub most_barriers: usize,
    /// The most kernels with added barriers that are planned, to compare them.
    pub attempts: u32,
    /// The effort of the planner for the result. Comparisons take [`Effort::Quick`] at most.
    pub effort: Effort,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            insert_barriers: false,
            most_barriers: 8,
            attempts: 2_000,
            effort: Effort::Normal,
        }
    }
}
