//! `memplan check`: validates a plan in a CSV, and certificates.

use anyhow::{Context, Result, bail};
use memplan_planner::csv::{CsvError, Reason};
use memplan_planner::validate::validate;
use memplan_planner::{ProblemError, certificate};
use memplan_report::units::{counted, grouped};

use crate::facts::{Facts, SpaceFacts};
use crate::files;
use crate::limits::{Capacity, Certificates, Forbid};
use crate::problems::Input;

/// Check a plan in a CSV: no two live buffers share a byte, all offsets are aligned, and everything
/// fits. Check a proof that there is no better one, or none that fits.
///
/// A proof is held against the buffers as if no offset were given, or, where there is no plan, as
/// they are.
///
/// Exits with 0 if the plan is right and fits, and the proof, if there is one, proves what it
/// claims; with 1 if the plan is wrong or too large, or, where there is no plan, the proof shows that
/// nothing fits; with 2 if nothing is shown: the input is invalid, the proof is refused, or
/// there is no plan and the proof does not tell whether the buffers fit.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    capacity: Capacity,
    #[command(flatten)]
    forbid: Forbid,
    #[command(flatten)]
    certificates: Certificates,
}

/// Runs the subcommand. Returns whether the plan is valid and fits.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let name = arguments.input.name();
    let text = arguments.input.text()?;
    let mut table = match arguments.input.table(&text)? {
        Err(error) if is_plan_error(&error) => return report_invalid_plan(&error.to_string()),
        read => read.with_context(|| name.clone())?,
    };
    arguments.capacity.apply(&mut table)?;
    arguments.forbid.apply(&mut table)?;
    let files = arguments.certificates.files(&table)?;
    let unsolved = table.unsolved();
    if let Some(line) = unsolved
        && files.is_empty()
    {
        bail!("{name}: line {line} has no offset");
    }

    let mut facts = Vec::with_capacity(table.spaces.len());
    let mut proofs = String::new();
    for (number, space) in table.spaces.iter().enumerate() {
        if let Err(error) = space.problem.check() {
            let error = table.locate(number, error);
            if is_plan_error(&error) {
                return report_invalid_plan(&error.to_string());
            }
            return Err(error).context(name);
        }
        let solution = files::solution(&space.problem);
        let plan = unsolved.is_none().then_some(&solution);
        if let Some(plan) = plan
            && let Err(violation) = validate(&files::without_capacity(&space.problem), plan)
        {
            let labels = &space.labels;
            let words = violation.in_words(&|id| labels.buffer(id), &|time| labels.time(time));
            return report_invalid_plan(&words);
        }
        let free = match plan {
            Some(_) => &files::without_fixed_offsets(&space.problem),
            None => &space.problem,
        };
        let (mut bounds, mut certificate) = free.certified_bounds();
        if let Some((_, path)) = files.iter().find(|(space, _)| *space == number) {
            let text = files::read_text(path)?;
            let claim = certificate::from_text(&text).with_context(|| files::name(path))?;
            let proven = claim.check(free).with_context(|| files::name(path))?;
            proofs += &format!(
                "checked {}: every plan takes {} bytes or more\n",
                files::name(path),
                grouped(proven)
            );
            if proven >= bounds.lower_bound {
                (bounds.lower_bound, certificate) = (proven, claim.certificate);
            }
        }
        facts.push(match plan {
            Some(plan) => SpaceFacts::of_plan(space, bounds, &certificate, plan),
            None => SpaceFacts::of_proof(space, bounds, &certificate),
        });
    }
    let (facts, checked) = match unsolved {
        None => (
            Facts::of_plans(facts),
            ": no overlap, all offsets are aligned",
        ),
        Some(_) => (Facts::of_bounds(facts), ", not planned"),
    };
    let buffers = counted(table.buffers(), "buffer");
    files::print(&format!(
        "{}{proofs}checked {buffers}{checked}\n",
        facts.to_text()
    ))?;
    let asked = table.spaces.iter();
    let asked = asked.filter(|space| space.problem.capacity.is_some());
    if unsolved.is_some() && facts.fits() && asked.count() > 0 {
        bail!("{name}: there is no plan, and the certificate does not prove that none fits");
    }
    Ok(facts.fits())
}

/// Whether the error is in the offsets, and not in the text.
fn is_plan_error(error: &CsvError) -> bool {
    matches!(
        error.reason,
        Reason::Problem {
            error: ProblemError::FixedAlignment { .. }
                | ProblemError::FixedOverlap { .. }
                | ProblemError::FixedForbidden { .. },
            ..
        }
    )
}

/// Prints an error of a plan.
fn report_invalid_plan(reason: &str) -> Result<bool> {
    files::print(&format!("wrong: {reason}\n"))?;
    Ok(false)
}
