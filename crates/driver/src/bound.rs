//! `memplan bound`: lower bounds on the peak.

use anyhow::{Context, Error, Result};
use memplan_planner::{Bounds, Certificate, Effort, Options, PlanError, Planner, Problem};

use crate::facts::{Facts, SpaceFacts};
use crate::files;
use crate::limits::{BankOption, Forbid};
use crate::problems::{self, Input};
use crate::progress;

/// Print what no plan of the buffers of a CSV can be below, and what proves it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    forbid: Forbid,
    #[command(flatten)]
    banks: BankOption,
    /// Search for a better bound, this hard: quick, normal, thorough, or a number of steps. Without
    /// it there are only the bounds that need no search.
    #[arg(long)]
    effort: Option<Effort>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.input.name();
    let text = arguments.input.text()?;
    let mut table = problems::read(&arguments.input, &text)?;
    arguments.forbid.apply(&mut table)?;
    arguments.banks.apply(&mut table, &name)?;
    let mut facts = Vec::with_capacity(table.spaces.len());
    for (number, space) in table.spaces.iter().enumerate() {
        let problem = &space.problem;
        if let Err(error) = problem.check() {
            return Err(table.locate(number, error)).context(name);
        }
        let (bounds, certificate) = match arguments.effort {
            None => problem.certified_bounds(),
            Some(effort) => progress::during("computing a lower bound", &String::new, || {
                bounds_by_search(problem, effort)
            })?,
        };
        facts.push(SpaceFacts::of_bounds(space, bounds, &certificate));
    }
    let facts = Facts::of_bounds(facts);
    files::print(&match arguments.json {
        true => facts.to_json()?,
        false => facts.to_text(),
    })
}

/// The bounds that the default planner ends with, with their proof.
fn bounds_by_search(problem: &Problem, effort: Effort) -> Result<(Bounds, Certificate)> {
    let options = Options::default().with_effort(effort);
    match Planner::Auto.solve_with(problem, &options) {
        // Banks end, and may have no plan at all.
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
        ) => {
            let bounds = Bounds {
                lower_bound,
                ..problem.bounds()
            };
            Ok((bounds, *certificate))
        }
        solved => solved
            .map(|outcome| (outcome.bounds, outcome.certificate))
            .map_err(Error::from),
    }
}
