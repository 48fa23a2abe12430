//! `memplan check`: whether a plan in a CSV is right.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use memplan_planner::ProblemError;
use memplan_planner::csv::{CsvError, Reason, Table};
use memplan_planner::validate::validate;
use memplan_report::units::counted;

use crate::facts::{Facts, SpaceFacts};
use crate::files;
use crate::limits::{Capacity, Forbid};

/// Check a plan in a CSV: no two live buffers share a byte, all offsets are aligned, and everything
/// fits.
///
/// Exits with 0 if the plan is right and fits, 1 if it is wrong or too large, 2 if the input makes
/// no sense or has no offsets.
#[derive(clap::Args)]
pub struct Arguments {
    /// Buffers with their offsets as CSV; - is standard input.
    input: PathBuf,
    #[command(flatten)]
    capacity: Capacity,
    #[command(flatten)]
    forbid: Forbid,
}

/// Runs the subcommand; says whether the plan is right and fits.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let name = files::name(&arguments.input);
    let text = files::read_text(&arguments.input)?;
    let mut table = match Table::read(&text) {
        Err(error) if is_of_plan(&error) => return wrong(&error.to_string()),
        read => read.with_context(|| name.clone())?,
    };
    if let Some(line) = table.unsolved() {
        bail!("{name}: line {line} has no offset");
    }
    arguments.capacity.apply(&mut table)?;
    arguments.forbid.apply(&mut table)?;

    let mut facts = Vec::with_capacity(table.spaces.len());
    for (number, space) in table.spaces.iter().enumerate() {
        if let Err(error) = space.problem.check() {
            let error = table.blame(number, error);
            if is_of_plan(&error) {
                return wrong(&error.to_string());
            }
            return Err(error).context(name);
        }
        let solution = files::solution(&space.problem);
        if let Err(violation) = validate(&files::of_any_size(&space.problem), &solution) {
            return wrong(&violation.to_string());
        }
        let (bounds, certificate) = files::unfixed(&space.problem).certified_bounds();
        facts.push(SpaceFacts::of_plan(space, bounds, &certificate, &solution));
    }
    let facts = Facts::of_plans(facts);
    let buffers = counted(table.buffers(), "buffer");
    files::print(&format!(
        "{}checked {buffers}: no overlap, all offsets are aligned\n",
        facts.to_text()
    ))?;
    Ok(facts.fits())
}

/// Whether the offsets are to blame, and not the text.
fn is_of_plan(error: &CsvError) -> bool {
    matches!(
        error.reason,
        Reason::Problem(
            ProblemError::FixedAlignment { .. }
                | ProblemError::FixedOverlap { .. }
                | ProblemError::FixedForbidden { .. }
        )
    )
}

fn wrong(what: &str) -> Result<bool> {
    files::print(&format!("wrong: {what}\n"))?;
    Ok(false)
}
