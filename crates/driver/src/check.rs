//! `memplan check`: validates a plan in a CSV, and certificates.

use std::path::PathBuf;

use anyhow::{Context, Error, Result, anyhow, bail};
use memplan_planner::certificate::CertificateError;
use memplan_planner::csv::{CsvError, Labels, Reason, Table};
use memplan_planner::validate::validate;
use memplan_planner::{BankError, Buffer, ProblemError, Solution, Window, certificate};
use memplan_report::units::{counted, grouped};

use crate::facts::{Facts, SpaceFacts};
use crate::files;
use crate::limits::{BankOption, Capacity, Certificates, Forbid};
use crate::problems::{self, Input};

/// Check a plan in a CSV: no two live buffers share a byte, all offsets are aligned, and everything
/// fits. Check a proof that there is no better one, or none that fits.
///
/// A proof is held against the buffers as if no offset were given, or, where there is no plan, as
/// they are. Where some offsets were fixed before memplan solve, --problem names the CSV that it read: the
/// offsets in it are the fixed ones, which the plan has to keep, and on which the proof may rest.
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
    banks: BankOption,
    #[command(flatten)]
    certificates: Certificates,
    /// The CSV that was solved: the same buffers in the same order, and the offsets that were fixed.
    #[arg(long, value_name = "FILE")]
    problem: Option<PathBuf>,
}

/// Runs the subcommand. Returns whether the plan is valid and fits.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let mut name = arguments.input.name();
    let text = arguments.input.text()?;
    let mut table = match arguments.input.table(&text)? {
        Err(error) if is_plan_error(&error) => return report_invalid_plan(&error.to_string()),
        read => read.with_context(|| name.clone())?,
    };
    let problem = arguments.problem.as_ref().map(|path| Input {
        input: path.clone(),
        strict: arguments.input.strict,
    });
    let problem_text = problem.as_ref().map(Input::text).transpose()?;
    // The plan, where the table is of the problem.
    let mut plan = None;
    if let (Some(problem), Some(text)) = (&problem, &problem_text) {
        let solved = problems::read(problem, text)?;
        plan = Some(Plan::of(&table, &solved, &name, &problem.name())?);
        (table, name) = (solved, problem.name());
    }
    arguments.capacity.apply(&mut table)?;
    arguments.forbid.apply(&mut table)?;
    arguments.banks.apply(&mut table, &name)?;
    let files = arguments.certificates.files(&table)?;
    let unsolved = match plan {
        Some(_) => None,
        None => table.unsolved(),
    };
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
            if plan.is_none() && is_plan_error(&error) {
                return report_invalid_plan(&error.to_string());
            }
            return Err(error).context(name);
        }
        let of_space = plan.as_ref().map(|plan| &plan.offsets[number]);
        let solution = match of_space {
            Some(offsets) => Solution::new(&space.problem, offsets.clone()),
            None => files::solution(&space.problem),
        };
        let solution = unsolved.is_none().then_some(&solution);
        if let Some(plan) = solution
            && let Err(violation) = validate(&files::without_capacity(&space.problem), plan)
        {
            let labels = &space.labels;
            let words = violation.in_words(&|id| labels.buffer(id), &|time| labels.time(time));
            return report_invalid_plan(&words);
        }
        let free = match (solution, of_space) {
            (Some(_), None) => &files::without_fixed_offsets(&space.problem),
            _ => &space.problem,
        };
        let (mut bounds, mut certificate) = free.certified_bounds();
        if let Some((_, path)) = files.iter().find(|(space, _)| *space == number) {
            let text = files::read_text(path)?;
            let claim = certificate::from_text(&text).with_context(|| files::name(path))?;
            let proven = claim
                .check(free)
                .map_err(|error| match solution.is_some() && plan.is_none() {
                    true => refusal(error),
                    false => error.into(),
                })
                .with_context(|| files::name(path))?;
            let shown = match proven {
                u64::MAX => "no plan keeps the rules of the banks".to_owned(),
                _ => format!("every plan takes {} bytes or more", grouped(proven)),
            };
            proofs += &format!("checked {}: {shown}\n", files::name(path));
            if proven >= bounds.lower_bound {
                (bounds.lower_bound, certificate) = (proven, claim.certificate);
            }
        }
        facts.push(match solution {
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
    let asked = asked.filter(|space| space.problem.limit().is_some());
    if unsolved.is_some() && facts.fits() && asked.count() > 0 {
        bail!("{name}: there is no plan, and the certificate does not prove that none fits");
    }
    Ok(facts.fits())
}

/// The offsets that a CSV has for the buffers of another one.
struct Plan {
    /// Those of each memory space, in the order of the other one's spaces and buffers.
    offsets: Vec<Vec<u64>>,
}

impl Plan {
    /// The plan of `problem` in `solved`, which has the same buffers in the same order: ids of text are
    /// numbered by it.
    fn of(solved: &Table<'_>, problem: &Table<'_>, name: &str, problem_name: &str) -> Result<Self> {
        if let Some(line) = solved.unsolved() {
            bail!("{name}: line {line} has no offset");
        }
        let spaces = solved.spaces.iter();
        if let Some(other) = spaces
            .clone()
            .find(|one| problem.spaces.iter().all(|space| space.name != one.name))
        {
            bail!(
                "{name} has the memory space '{}', and {problem_name} has not",
                other.name.escape_debug()
            );
        }
        let mut offsets = Vec::with_capacity(problem.spaces.len());
        for space in &problem.spaces {
            let Some(planned) = spaces.clone().find(|one| one.name == space.name) else {
                bail!(
                    "{problem_name} has the memory space '{}', and {name} has not",
                    space.name.escape_debug()
                );
            };
            let (wanted, found) = (&space.problem.buffers, &planned.problem.buffers);
            for (one, other) in wanted.iter().zip(found) {
                let id = space.labels.buffer(one.id);
                let other_id = planned.labels.buffer(other.id);
                if id != other_id {
                    bail!("{name} has buffer {other_id} where {problem_name} has {id}");
                }
                if let Some(what) = difference((one, &space.labels), (other, &planned.labels)) {
                    bail!("buffer {id} has {what} in {name} than in {problem_name}");
                }
            }
            let fewer =
                |first, other, buffer| format!("{first} has buffer {buffer}, and {other} has not");
            if let Some(more) = wanted.get(found.len()) {
                bail!(fewer(problem_name, name, space.labels.buffer(more.id)));
            }
            if let Some(more) = found.get(wanted.len()) {
                bail!(fewer(name, problem_name, planned.labels.buffer(more.id)));
            }
            // Only what is never live has no offset: it may lie where it is fixed.
            let both = found.iter().zip(wanted);
            let placed =
                both.map(|(one, wanted)| one.fixed_offset.or(wanted.fixed_offset).unwrap_or(0));
            offsets.push(placed.collect());
        }
        Ok(Self { offsets })
    }
}

/// What two buffers do not have in common but their offsets.
fn difference(
    (one, labels): (&Buffer, &Labels),
    (other, other_labels): (&Buffer, &Labels),
) -> Option<&'static str> {
    if one.size != other.size {
        return Some("another size");
    }
    if one.alignment != other.alignment {
        return Some("another alignment");
    }
    let live = |buffer: &Buffer, labels: &Labels| -> Vec<(i128, i128)> {
        let ranges = buffer.live.iter();
        ranges
            .map(|range| (labels.time(range.start), labels.time(range.end)))
            .collect()
    };
    if live(one, labels) != live(other, other_labels) {
        return Some("other times");
    }
    let windows = |buffer: &Buffer, labels: &Labels| -> Vec<(i128, i128, u64, u64)> {
        let windows = buffer.windows.iter();
        let shown = |window: &Window| {
            let Window { during, low, high } = window;
            (
                labels.time(during.start),
                labels.time(during.end),
                *low,
                *high,
            )
        };
        windows.map(shown).collect()
    };
    (windows(one, labels) != windows(other, other_labels)).then_some("other gaps")
}

/// Says why the proof of a plan may be refused that is right of the problem.
fn refusal(error: CertificateError) -> Error {
    match error {
        CertificateError::UnknownBuffer { .. } | CertificateError::Problem(_) => error.into(),
        _ => anyhow!(
            "{error}; where offsets were fixed before it was solved, the proof may rest on them: name that CSV with \
            --problem"
        ),
    }
}

/// Whether the error is in the offsets, and not in the text.
fn is_plan_error(error: &CsvError) -> bool {
    matches!(
        error.reason,
        Reason::Problem {
            error: ProblemError::FixedAlignment { .. }
                | ProblemError::FixedOverlap { .. }
                | ProblemError::FixedForbidden { .. }
                | ProblemError::Banks(BankError::Fixed { .. } | BankError::FixedTogether(_)),
            ..
        }
    )
}

/// Prints an error of a plan.
fn report_invalid_plan(reason: &str) -> Result<bool> {
    files::print(&format!("wrong: {reason}\n"))?;
    Ok(false)
}
