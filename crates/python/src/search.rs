//! A search in a thread of its own, which can be interrupted.

use memplan_planner::{
    Certificate, Options, Outcome, PlanError, Planner, Problem, Watch, certificate,
    validate::validate,
};
use std::{
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// How often the caller is asked whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// What a search found. Sizes are in bytes.
#[derive(Default)]
pub struct Found {
    /// The offset of each buffer; none if no plan fits.
    pub offsets: Option<Vec<u64>>,
    /// The size of the memory.
    pub peak: u64,
    /// What no plan is below.
    pub lower_bound: u64,
    /// The proof of the lower bound, as text.
    pub proof: String,
    /// The planner that found the plan.
    pub planner: String,
    /// Whether the plan fits.
    pub fits: bool,
    /// Whether the caller ended the search.
    pub is_interrupted: bool,
}

/// Solves a problem. `goes_on` is asked every now and then: once it says no, the search ends soon, with the best plan so far.
///
/// # Errors
///
/// The problem is invalid, or memplan made a wrong plan; in words.
pub fn solve(
    problem: &Problem,
    planner: Planner,
    options: &Options,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Found, String> {
    let watch = Watch::default();
    let (sender, receiver) = channel();
    let (result, is_interrupted) = thread::scope(|scope| {
        let watch = &watch;
        scope.spawn(move || {
            // Whoever waits is there until it has this.
            _ = sender.send(planner.solve_watched(problem, options, watch));
        });
        let mut is_interrupted = false;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(result) => return (Some(result), is_interrupted),
                Err(RecvTimeoutError::Disconnected) => return (None, is_interrupted),
                Err(RecvTimeoutError::Timeout) => {
                    if !is_interrupted && !goes_on() {
                        is_interrupted = true;
                        watch.stop();
                    }
                }
            }
        }
    });
    let result = result.ok_or("internal error of memplan: the search ended without a result")?;
    let mut found = found(problem, result)?;
    found.is_interrupted = is_interrupted;
    Ok(found)
}

fn found(problem: &Problem, result: Result<Outcome, PlanError>) -> Result<Found, String> {
    match result {
        Ok(outcome) => of_plan(problem, &outcome, true),
        Err(PlanError::Capacity { best, .. }) => of_plan(problem, &best, false),
        Err(
            PlanError::Infeasible {
                lower_bound,
                certificate,
                ..
            }
            | PlanError::NotPlaced {
                lower_bound,
                certificate,
            },
        ) => Ok(Found {
            lower_bound,
            proof: proof(problem, lower_bound, &certificate)?,
            ..Found::default()
        }),
        Err(other) => Err(other.to_string()),
    }
}

fn of_plan(problem: &Problem, outcome: &Outcome, fits: bool) -> Result<Found, String> {
    let unlimited = Problem {
        capacity: None,
        ..problem.clone()
    };
    validate(&unlimited, &outcome.solution)
        .map_err(|why| format!("internal error of memplan: a plan is wrong: {why}"))?;
    let lower_bound = outcome.bounds.lower_bound;
    Ok(Found {
        offsets: Some(outcome.solution.offsets.clone()),
        peak: outcome.solution.peak,
        lower_bound,
        proof: proof(problem, lower_bound, &outcome.certificate)?,
        planner: outcome.planner.to_owned(),
        fits,
        is_interrupted: false,
    })
}

fn proof(problem: &Problem, bound: u64, certificate: &Certificate) -> Result<String, String> {
    match certificate::check(problem, certificate) {
        Ok(proven) if proven >= bound => Ok(certificate::to_text(bound, certificate)),
        _ => Err("internal error of memplan: a proof is wrong".to_owned()),
    }
}
