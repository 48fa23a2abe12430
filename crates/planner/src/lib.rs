//! Dynamic storage allocation: assigns an offset to each buffer, given sizes and live ranges.
//! Buffers that are live at the same time never share a byte, and the peak is as low as possible.
//!
//! The crate does not depend on MLIR and does no I/O; [`csv`] converts text to problems and back.
//!
//! | step | module |
//! |---|---|
//! | state the problem | [`Buffer`], [`Forbidden`], [`Problem`] |
//! | describe banks of memory | [`banks`], [`Banks`], `bank_check` |
//! | compress time to maximal sections | `timeline` |
//! | bound the peak from below | [`Bounds`], `cliques` |
//! | place every buffer | [`Planner`], one file per planner in `planners`; registered planners in [`custom`] and `registry` |
//! | validate the result independently | [`validate`] |
//! | measure how soon bytes are reused | [`Reuse`] |
//! | solve several memory spaces in parallel | [`solve_all`] |
//! | prove lower bounds, in checkable form | [`certificate`] |
//!
//! All planners are deterministic: the same problem gives the same offsets on every machine. Search
//! effort is counted in steps, never in seconds.
//!
//! ```
//! use memplan_planner::{Buffer, Planner, Problem, validate::validate};
//!
//! let problem = Problem::new(vec![
//!     Buffer::new(0, 64, [(0, 2)]),
//!     Buffer::new(1, 32, [(1, 3)]),
//!     Buffer::new(2, 64, [(2, 4)]),
//! ])?;
//! let outcome = Planner::Auto.solve(&problem)?;
//! assert_eq!(outcome.solution.peak, 96);
//! assert!(outcome.optimal);
//! validate(&problem, &outcome.solution)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alignment;
mod bank_bounds;
mod bank_check;
mod bank_choices;
pub mod banks;
mod bounds;
mod buffer;
pub mod certificate;
mod cliques;
pub mod csv;
pub mod custom;
mod effort;
mod forbidden;
mod parallel;
mod planner;
mod planners;
mod problem;
mod registry;
mod reuse;
mod solution;
mod timeline;
pub mod validate;
mod watch;

pub use bank_check::BankError;
pub use banks::{Bank, BankLayout, BankRule, BankRules, Banks};
pub use bounds::Bounds;
pub use buffer::{Buffer, LiveRange, Window};
pub use certificate::{
    BankLemma, BankNode, BankRefutation, Certificate, DistanceNode, Lemma, Node, Refutation,
};
pub use effort::{Effort, Options, UnknownEffort};
pub use forbidden::Forbidden;
pub use parallel::{Solved, solve_all, solve_all_watched};
pub use planner::{Outcome, PlanError, Planner, UnknownPlanner};
pub use problem::{MAX_SIZE, Problem, ProblemError};
pub use reuse::Reuse;
pub use solution::Solution;
pub use watch::Watch;
