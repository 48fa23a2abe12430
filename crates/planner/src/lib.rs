//! Dynamic storage allocation: given buffers with sizes and live ranges, choose an offset for each
//! so that buffers live at the same time never share a byte and the peak is as low as possible.
//!
//! The crate knows nothing of MLIR and does no I/O; [`csv`] turns text into problems and back.
//!
//! | step | module |
//! |---|---|
//! | say what is to be planned | [`Buffer`], [`Forbidden`], [`Problem`] |
//! | squeeze time to its maximal sections | `timeline` |
//! | bound the peak from below | [`Bounds`], `cliques` |
//! | place every buffer | [`Planner`], one file per planner in `planners`; those of others in [`custom`], by name in `registry` |
//! | recheck the result from the outside | [`validate`] |
//! | say how soon bytes are used again | [`Reuse`] |
//! | solve several memory spaces side by side | [`solve_all`] |
//! | recheck why nothing can be better | [`certificate`] |
//!
//! Everything is deterministic: the same problem gives the same offsets on every machine. Search
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

mod bounds;
mod buffer;
pub mod certificate;
mod cliques;
pub mod csv;
pub mod custom;
mod effort;
mod forbidden;
mod planner;
mod planners;
mod problem;
mod registry;
mod reuse;
mod side_by_side;
mod solution;
mod timeline;
pub mod validate;

pub use bounds::Bounds;
pub use buffer::{Buffer, LiveRange};
pub use certificate::{Certificate, Lemma, Node, Refutation};
pub use effort::{Effort, Options, UnknownEffort};
pub use forbidden::Forbidden;
pub use planner::{Outcome, PlanError, Planner, UnknownPlanner};
pub use problem::{MAX_SIZE, Problem, ProblemError};
pub use reuse::Reuse;
pub use side_by_side::solve_all;
pub use solution::Solution;
