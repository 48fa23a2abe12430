//! How hard to look for a better plan.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// Effort of the planners that search, [`Auto`](crate::Planner::Auto), [`Exact`](crate::Planner::Exact)
/// and [`HillClimb`](crate::Planner::HillClimb), counted in steps: a step takes a few nanoseconds and
/// is the same work on every machine. More effort never gives a worse plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Effort {
    /// What costs next to nothing: the quick heuristics and a short search; of a million buffers little
    /// more than one pass.
    Quick,
    /// Some tenths of a second where a problem is hard, far less where it is not, and some seconds for
    /// a hundred thousand or a million buffers.
    #[default]
    Normal,
    /// Half a minute where a problem is hard.
    Thorough,
    /// This many steps.
    Steps(u64),
}

/// Steps of the named levels.
const QUICK: u64 = 1_000_000;
const NORMAL: u64 = 80_000_000;
const THOROUGH: u64 = 10_000_000_000;

impl Effort {
    /// The levels that have a name, the least first.
    pub const NAMED: [Effort; 3] = [Effort::Quick, Effort::Normal, Effort::Thorough];

    /// How many steps this allows.
    pub const fn steps(self) -> u64 {
        match self {
            Effort::Quick => QUICK,
            Effort::Normal => NORMAL,
            Effort::Thorough => THOROUGH,
            Effort::Steps(steps) => steps,
        }
    }
}

/// A text that is neither a level's name nor a number.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is no effort; write quick, normal, thorough, or a number of steps")]
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

/// How to plan, beside the choice of the [`Planner`](crate::Planner).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How hard to look.
    pub effort: Effort,
    /// Start of the pseudo-random numbers inside the searches; any number is as good.
    pub seed: u64,
    /// Stops looking after this time. Gives up determinism: a faster machine may find more.
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
            "'much' is no effort; write quick, normal, thorough, or a number of steps"
        );
    }

    #[test]
    fn the_named_levels_grow() {
        assert!(Effort::NAMED.is_sorted_by_key(|effort| effort.steps()));
    }
}
