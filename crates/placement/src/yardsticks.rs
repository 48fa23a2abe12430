//! What others do, to compare with.

use crate::{
    options::Options,
    plan::Plan,
    problem::{Problem, ProblemError},
    solve::{Outcome, solve},
    whole,
};

pub use crate::{cheapest_first::cheapest_first, furthest::furthest_next_use};

/// Whole buffers in one space for life, chosen all together: placement in the manner of OLLA, without its reordering. `None`
/// if none was found.
///
/// # Errors
///
/// If the problem is invalid.
pub fn whole_buffers(problem: &Problem, options: &Options) -> Result<Option<Plan>, ProblemError> {
    problem.validate()?;
    let Some(all) = whole::problem(problem) else {
        return Ok(None);
    };
    Ok(match solve(&all, options)? {
        Outcome::Plan(plan, _) => Some(whole::plan(problem, &plan)),
        _ => None,
    })
}
