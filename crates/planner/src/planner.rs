//! The planners by name, and their results.

use crate::bounds::LowerBound;
use crate::planners::{self, Task};
use crate::registry::{self, CustomError};
use crate::timeline::Timeline;
use crate::{Bounds, Certificate, Options, Problem, ProblemError, Solution, Watch};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A planning algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Planner {
    /// The best of the quick planners, then a bounded search if none meets the lower bound.
    #[default]
    Auto,
    /// One buffer after the other, without any reuse.
    Plain,
    /// In program order, each at the lowest offset that is free during its live ranges.
    FirstFit,
    /// In program order, each in the smallest free gap that fits.
    BestFit,
    /// Largest first, each at the lowest free offset.
    BySize,
    /// Largest size times live time first, each at the lowest free offset.
    ByArea,
    /// Most conflicting bytes first, each at the lowest free offset.
    ByConflicts,
    /// In program order, each in the gap whose bytes were freed most recently.
    Locality,
    /// Local search over placement orders, from a quick plan. It runs only if there are at most
    /// 2^21 conflicts, or 64 for each buffer. Other problems get the plan of another planner, which
    /// the outcome names.
    HillClimb,
    /// For up to millions of buffers. Recovers perfect packings; for other problems it takes the
    /// best of many skyline placements.
    Large,
    /// Branch and bound, which proves its plan optimal if the effort suffices. It takes at most
    /// 2,047 buffers of fewer than 2^52 bytes in total. Other problems get the plan of `by-size`,
    /// which the outcome names. With windows, it proves plans of few buffers optimal.
    Exact,
    /// A planner that was [registered](crate::custom::register) under this name.
    Custom(&'static str),
}

/// A name that belongs to no planner.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no planner '{name}'; known are {}", Planner::names().join(", "))]
pub struct UnknownPlanner {
    /// The name.
    pub name: String,
}

/// Why a planner returns no plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlanError {
    /// The problem is invalid.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No plan can fit: the lower bound exceeds the capacity.
    #[error("{}", infeasible(*lower_bound, *capacity))]
    Infeasible {
        /// The least peak that may be possible, in bytes; `u64::MAX` if none is.
        lower_bound: u64,
        /// The problem's capacity in bytes, or the end of its banks if that is less; `u64::MAX` if there is neither.
        capacity: u64,
        /// The proof that no plan has a lower peak than `lower_bound`.
        certificate: Box<Certificate>,
    },
    /// The best plan found does not fit; a better one may exist.
    #[error("the best plan found needs {} bytes, and the capacity is {capacity}", best.solution.peak)]
    Capacity {
        /// The best plan found; its bounds are below the capacity.
        best: Box<Outcome>,
        /// The problem's capacity in bytes.
        capacity: u64,
    },
    /// No plan was found in memory with banks; there may be one.
    #[error("no plan was found that keeps the rules of the banks")]
    NotPlaced {
        /// The least peak that may be possible, in bytes.
        lower_bound: u64,
        /// The proof that no plan has a lower peak than `lower_bound`.
        certificate: Box<Certificate>,
    },
    /// A registered planner failed.
    #[error("the planner '{planner}' returned no plan: {why}")]
    Custom {
        /// The name of the planner.
        planner: &'static str,
        /// The failure.
        why: CustomError,
    },
}

/// A plan, with bounds on its quality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The offsets and the peak.
    pub solution: Solution,
    /// The bounds of the problem.
    pub bounds: Bounds,
    /// The planner that found the plan; with [`Planner::Auto`] the one that won.
    pub planner: &'static str,
    /// Whether the peak equals the lower bound, so that no plan can be better.
    pub optimal: bool,
    /// The proof that no plan has a lower peak than `bounds.lower_bound`.
    pub certificate: Certificate,
}

fn infeasible(lower_bound: u64, capacity: u64) -> String {
    match lower_bound {
        u64::MAX => "no plan keeps the rules of the banks".to_owned(),
        _ => format!("at least {lower_bound} bytes are needed, and the capacity is {capacity}"),
    }
}

impl Planner {
    /// The built-in planners.
    pub const ALL: [Planner; 11] = [
        Planner::Auto,
        Planner::Plain,
        Planner::FirstFit,
        Planner::BestFit,
        Planner::BySize,
        Planner::ByArea,
        Planner::ByConflicts,
        Planner::Locality,
        Planner::HillClimb,
        Planner::Large,
        Planner::Exact,
    ];

    /// The name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Planner::Auto => "auto",
            Planner::Plain => "plain",
            Planner::FirstFit => "first-fit",
            Planner::BestFit => "best-fit",
            Planner::BySize => "by-size",
            Planner::ByArea => "by-area",
            Planner::ByConflicts => "by-conflicts",
            Planner::Locality => "locality",
            Planner::HillClimb => "hill-climb",
            Planner::Large => "large",
            Planner::Exact => "exact",
            Planner::Custom(name) => name,
        }
    }

    /// How the planner chooses offsets, in Markdown.
    pub const fn about(self) -> &'static str {
        match self {
            Planner::Auto => {
                "Runs the quick planners and takes the best plan. Where no plan meets the lower bound, a bounded search follows."
            }
            Planner::Plain => {
                "Gives each buffer bytes of its own, one buffer after the other. Nothing is shared."
            }
            Planner::FirstFit => {
                "Takes buffers in program order. Each gets the lowest offset that is free throughout its live range."
            }
            Planner::BestFit => {
                "Takes buffers in program order. Each gets the smallest free gap that holds it."
            }
            Planner::BySize => "Takes the largest buffer first. Each gets the lowest free offset.",
            Planner::ByArea => {
                "Takes the buffer with the largest product of size and live time first. Each gets the lowest free offset."
            }
            Planner::ByConflicts => {
                "Takes the buffer that interferes with the most bytes first. Each gets the lowest free offset."
            }
            Planner::Locality => {
                "Takes buffers in program order. Each gets the gap whose bytes were freed most recently, which are the \
                 likeliest to be in a cache."
            }
            Planner::HillClimb => {
                "Searches placement orders locally, from the best quick plan. It runs where there are at most 2^21 conflicts, \
                 or 64 for each buffer; else another planner runs, and the output names it."
            }
            Planner::Large => {
                "Plans millions of buffers: it recovers perfect packings, and takes the best of many skylines elsewhere."
            }
            Planner::Exact => {
                "Branch and bound: proves its plan optimal where the effort is enough. It runs for at most 2,047 buffers of \
                 fewer than 2^52 bytes together, after `auto`; else `auto` runs alone, and the output names its planner."
            }
            Planner::Custom(_) => "The compiler around memplan registered this planner.",
        }
    }

    /// The names of all planners: the built-in ones, then the registered ones.
    pub fn names() -> Vec<&'static str> {
        let own = Planner::ALL.map(Planner::name);
        own.into_iter().chain(registry::names()).collect()
    }

    /// The planner with this name.
    pub fn from_name(name: &str) -> Option<Planner> {
        let own = Planner::ALL.into_iter().find(|own| own.name() == name);
        own.or_else(|| registry::registered_name(name).map(Planner::Custom))
    }

    /// Places every buffer of `problem`, with the default [`Options`].
    ///
    /// # Errors
    ///
    /// Those of [`solve_with`](Self::solve_with).
    pub fn solve(self, problem: &Problem) -> Result<Outcome, PlanError> {
        self.solve_with(problem, &Options::default())
    }

    /// Places every buffer of `problem`. With a capacity, it returns the first plan that fits.
    /// Without one, it minimizes the peak.
    ///
    /// # Errors
    ///
    /// [`PlanError::Problem`] if [`Problem::check`] fails. With a capacity,
    /// [`PlanError::Infeasible`] if provably no plan fits, and [`PlanError::Capacity`] if the
    /// planner found none that fits. With banks, [`PlanError::Infeasible`] if provably no plan keeps their rules, and
    /// [`PlanError::NotPlaced`] if the planner found none. [`PlanError::Custom`] if a registered planner fails.
    pub fn solve_with(self, problem: &Problem, options: &Options) -> Result<Outcome, PlanError> {
        self.solve_for(problem, options, None)
    }

    /// The same, where another thread looks at it and may stop it: the plan is then the best so far.
    ///
    /// # Errors
    ///
    /// Those of [`solve_with`](Self::solve_with).
    pub fn solve_watched(
        self,
        problem: &Problem,
        options: &Options,
        watch: &Watch,
    ) -> Result<Outcome, PlanError> {
        let solved = self.solve_for(problem, options, Some(watch));
        let best = match &solved {
            Ok(outcome) => Some(outcome),
            Err(PlanError::Capacity { best, .. }) => Some(&**best),
            Err(_) => None,
        };
        if let Some(best) = best {
            watch.note(best.solution.peak, best.bounds.lower_bound);
        }
        solved
    }

    fn solve_for(
        self,
        problem: &Problem,
        options: &Options,
        watch: Option<&Watch>,
    ) -> Result<Outcome, PlanError> {
        problem.check()?;
        let holes = problem.without_windowed_times();
        let timeline = Timeline::new(&holes);
        let (mut bounds, mut lower) = Bounds::certified(problem, &timeline);
        let limit = problem.limit();
        let infeasible = |lower: LowerBound| match limit {
            Some(capacity) if lower.bound <= capacity => Ok(lower),
            None if lower.bound < u64::MAX => Ok(lower),
            _ => Err(PlanError::Infeasible {
                lower_bound: lower.bound,
                capacity: limit.unwrap_or(u64::MAX),
                certificate: Box::new(lower.certificate),
            }),
        };
        lower = infeasible(lower)?;
        let (solution, planner) = match self {
            Planner::Custom(planner) => {
                match registry::solve(planner, &problem.with_whole_windows()) {
                    Ok(solution) => (solution, planner),
                    Err(why) => return Err(PlanError::Custom { planner, why }),
                }
            }
            _ if problem.banks.is_some() => {
                let task = Task::new(problem, options, watch);
                let found = planners::banks::solve(self, &task, &mut lower);
                lower = infeasible(lower)?;
                found.ok_or_else(|| PlanError::NotPlaced {
                    lower_bound: lower.bound,
                    certificate: Box::new(lower.certificate.clone()),
                })?
            }
            _ => {
                let task = Task::new(problem, options, watch);
                planners::solve(self, &task, &timeline, &mut lower)
            }
        };
        let lower = infeasible(lower)?;
        bounds.lower_bound = lower.bound;
        debug_assert_eq!(
            crate::validate::validate(
                &Problem {
                    capacity: None,
                    ..problem.clone()
                },
                &solution
            ),
            Ok(())
        );
        let outcome = Outcome {
            optimal: solution.peak == bounds.lower_bound,
            solution,
            bounds,
            planner,
            certificate: lower.certificate,
        };
        match problem.capacity {
            Some(capacity) if outcome.solution.peak > capacity => Err(PlanError::Capacity {
                best: Box::new(outcome),
                capacity,
            }),
            _ => Ok(outcome),
        }
    }
}

impl fmt::Display for Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Planner {
    type Err = UnknownPlanner;

    fn from_str(name: &str) -> Result<Self, UnknownPlanner> {
        Planner::from_name(name).ok_or_else(|| UnknownPlanner {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    #[test]
    fn names_round_trip() {
        for planner in Planner::ALL {
            assert_eq!(planner.to_string().parse(), Ok(planner));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_names_there_are() {
        let error = "worst-fit".parse::<Planner>().expect_err("no such planner");
        let text = "there is no planner 'worst-fit'; known are auto, plain, first-fit, best-fit, by-size, by-area, by-conflicts, locality, hill-climb, large, exact";
        // Other tests may have registered planners.
        assert!(error.to_string().starts_with(text), "{error}");
    }

    #[test]
    fn a_plan_over_capacity_is_an_error_that_says_whether_it_is_proven() {
        let buffers = vec![Buffer::new(0, 8, [(0, 1)]), Buffer::new(1, 8, [(1, 2)])];
        let problem = Problem::new(buffers).expect("valid");
        let solve =
            |planner: Planner, capacity| planner.solve(&problem.clone().with_capacity(capacity));
        assert_eq!(
            solve(Planner::Auto, 7),
            Err(PlanError::Infeasible {
                lower_bound: 8,
                capacity: 7,
                certificate: Box::new(Certificate::Load { time: 0 }),
            })
        );
        match solve(Planner::Plain, 8) {
            Err(PlanError::Capacity { best, capacity: 8 }) => assert_eq!(best.solution.peak, 16),
            other => panic!("{other:?}"),
        }
        assert!(solve(Planner::Auto, 8).is_ok());
    }

    #[test]
    fn a_problem_without_buffers_has_peak_zero() {
        for planner in Planner::ALL {
            let outcome = planner.solve(&Problem::default()).expect("a plan");
            assert_eq!((outcome.solution.peak, outcome.optimal), (0, true));
        }
    }
}
