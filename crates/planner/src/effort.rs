//! The search effort of planners.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The effort of the planners that search: [`Auto`](crate::Planner::Auto),
/// [`Exact`](crate::Planner::Exact) and [`HillClimb`](crate::Planner::HillClimb). It is counted in
/// steps. A step takes a few nanoseconds and is the same work on every machine. More effort never
/// gives a worse plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Effort {
    /// The quick heuristics and a short search. For a million buffers it is little more than one
    /// pass.
    Quick,
    /// Some tenths of a second on a hard problem, far less on an easy one. Some seconds for a
    /// hundred thousand or a million buffers.
    #[default]
    Normal,
    /// Half a minute on a hard problem.
    Thorough,
    /// A number of steps.
    Steps(u64),
}

/// The steps of the named levels.
const QUICK: u64 = 1_000_000;
const NORMAL: u64 = 80_000_000;
const THOROUGH: u64 = 10_000_000_000;

impl Effort {
    /// The named levels, in increasing order.
    pub const NAMED: [Effort; 3] = [Effort::Quick, Effort::Normal, Effort::Thorough];

    /// The number of steps.
    pub const fn steps(self) -> u64 {
        match self {
            Effort::Quick => QUICK,
            Effort::Normal => NORMAL,
            Effort::Thorough => THOROUGH,
            Effort::Steps(steps) => steps,
        }
    }
}

/// A text that is neither the name of a level nor a number.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not an effort; write quick, normal, thorough, or a number of steps")]
pub struct UnknownEffort {
    /// The text.
    pub text: String,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Quick => f.pad("quick"),
            Effort::Normal => f.pad("normal"),
            Effort::Thorough => f.pad("thorough"),
            Effort::Steps(steps) => f.pad(&steps.to_string()),
        }
    }
}

impl FromStr for Effort {
    type Err = UnknownEffort;

    fn from_str(text: &str) -> Result<Self, UnknownEffort> {
        Effort::NAMED
            .into_iter()
            .find(|effort| effort.to_string() == text)
            .or_else(|| text.parse().ok().map(Effort::Steps))
            .ok_or_else(|| UnknownEffort {
                text: text.to_owned(),
            })
    }
}

/// Options of a planner, besides the choice of the [`Planner`](crate::Planner).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The search effort.
    pub effort: Effort,
    /// The seed of the pseudo-random numbers in the searches. No seed is better than another.
    pub seed: u64,
    /// Stops the search after this time. The result is then no longer deterministic: a faster
    /// machine may find more.
    pub time_limit: Option<Duration>,
}

impl Options {
    /// These options with another effort.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        Options { effort, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_are_read_as_they_are_written() {
        for effort in [
            Effort::Quick,
            Effort::Normal,
            Effort::Thorough,
            Effort::Steps(17),
        ] {
            assert_eq!(effort.to_string().parse(), Ok(effort));
        }
        let error = "much".parse::<Effort>().expect_err("no effort");
        assert_eq!(
            error.to_string(),
            "'much' is not an effort; write quick, normal, thorough, or a number of steps"
        );
    }

    #[test]
    fn the_named_levels_grow() {
        assert!(Effort::NAMED.is_sorted_by_key(|effort| effort.steps()));
    }
}
