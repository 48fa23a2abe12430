//! `memplan solve`: computes offsets for the buffers of a CSV.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memplan_output::targets::Targets;
use memplan_planner::csv::Table;
use memplan_planner::validate::validate;
use memplan_planner::{
    Effort, Options, Outcome, PlanError, Planner, Problem, Solution, Watch, certificate,
    solve_all_watched,
};
use memplan_report::units::{counted, grouped};

use crate::InternalError;
use crate::facts::{Facts, SpaceFacts};
use crate::files::{self, Outputs};
use crate::limits::{BankOption, Capacity, Certificates, Forbid};
use crate::missing_threads;
use crate::problems::{self, Input};
use crate::progress;
use crate::signals::{Interrupted, Signals};

/// Place the buffers of a CSV so that the peak is as low as possible.
///
/// Columns are found by name, in any order: id (buffer, buffer_id), lower (start, begin), upper,
/// size, and where wanted alignment (1 where empty), gaps, offset (fixed where given), hint (a
/// number, ignored) and space; each memory space is planned for itself. A buffer is live from
/// lower up to upper, upper not among them; a column end in place of upper is the last point at
/// which it is live. Gaps in between are FROM-TO, parted by blanks, and end as the buffer does; in
/// a gap FROM-TO@LOW:HIGH only these bytes of the buffer stay in use. The columns bank and apart are for --banks. Ids may be
/// names, and times negative. Other columns are kept, and a warning names them. The plan is validated before it is
/// written.
///
/// Exits with 0 if the buffers fit, 1 if not or if that stays unknown, 2 if the input makes no
/// sense.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Where the CSV with the offsets goes; - is standard output, and the table goes to standard
    /// error.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How offsets are chosen. Exact takes at most 2,047 buffers, and hill-climb only so many conflicts
    /// (2^21, or 64 for each buffer); others get a plan of the planner that the table names.
    #[arg(long, default_value = Planner::Auto.name(), value_parser = planners())]
    planner: Planner,
    #[command(flatten)]
    capacity: Capacity,
    #[command(flatten)]
    forbid: Forbid,
    #[command(flatten)]
    banks: BankOption,
    /// How hard to look: quick, normal, thorough, or a number of steps of a few ns [default: normal, or all the time
    /// that --time-limit gives].
    #[arg(long)]
    effort: Option<Effort>,
    /// Start of the pseudo-random numbers in the search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Stop looking after this time, in each memory space. The plan then depends on how fast the
    /// machine is.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Threads, for several memory spaces; the plans do not depend on it. All cores by default.
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    certificates: Certificates,
    /// Print one JSON document, with the offsets, instead of the table.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. Returns whether everything fits.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let name = arguments.input.name();
    let text = arguments.input.text()?;
    let mut table = problems::read(&arguments.input, &text)?;
    arguments.capacity.apply(&mut table)?;
    arguments.forbid.apply(&mut table)?;
    arguments.banks.apply(&mut table, &name)?;
    let certificates = arguments.certificates.files(&table)?;
    let certificate_paths = certificates.iter().map(|(_, path)| *path);
    let output = arguments.output.as_deref();
    let prints_output = output.into_iter().chain(certificate_paths.clone());
    let is_aside = prints_output.into_iter().any(files::is_dash);
    let mut targets = Targets::default();
    match (arguments.json, is_aside) {
        (true, _) => targets.printed("--json")?,
        // The table goes to standard error.
        (false, true) => {}
        (false, false) => targets.printed("the table")?,
    }
    files::check_outputs(&mut targets, output.map(|path| ("-o", path)))?;
    // The plan is what was read, with offsets. A certificate is not.
    targets.input("the input", &arguments.input.input);
    files::check_outputs(
        &mut targets,
        certificate_paths.map(|path| ("--certificate", path)),
    )?;

    let options = Options {
        effort: arguments.effort.unwrap_or(match arguments.time_limit {
            Some(_) => Effort::Steps(u64::MAX),
            None => Effort::default(),
        }),
        seed: arguments.seed,
        time_limit: arguments.time_limit,
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or_else(cores);
    let problems: Vec<&Problem> = table.spaces.iter().map(|space| &space.problem).collect();
    let signals = Signals::listen();
    let watches: Vec<Watch> = problems
        .iter()
        .map(|_| Watch::stopped_by(signals.flag()))
        .collect();
    let status = || status(&watches);
    let solved = progress::during(&progress_message(&table), &status, || {
        solve_all_watched(&problems, arguments.planner, &options, threads, &watches)
    });
    say_threads(solved.threads, solved.missing);
    let is_interrupted = signals.interrupted()?;
    let results = solved.results;

    let mut facts = Vec::with_capacity(results.len());
    for (number, (space, result)) in table.spaces.iter().zip(&results).enumerate() {
        if let Some(plan) = plan(result) {
            validate(&files::without_capacity(&space.problem), &plan.solution)
                .with_context(|| format!("{name}: the plan is invalid, and was not written"))?;
        }
        match (SpaceFacts::of_result(space, result), result) {
            (Some(known), _) => facts.push(known),
            (None, Err(PlanError::Problem(error))) => {
                return Err(table.locate(number, error.clone())).context(name);
            }
            (None, _) => {}
        }
    }
    let facts = Facts::of_plans(facts);
    let mut outputs = Outputs::default();
    if let Some(path) = &arguments.output {
        add_csv(&mut outputs, path, &table, &results)?;
    }
    for (space, path) in certificates {
        if let Some(result) = results.get(space) {
            add_certificate(&mut outputs, path, &table.spaces[space].problem, result)?;
        }
    }
    outputs.commit()?;
    if arguments.json {
        files::print(&facts.to_json()?)?;
    } else if is_aside {
        files::print_aside(&facts.to_text())?;
    } else {
        files::print(&facts.to_text())?;
    }
    if is_interrupted {
        files::say("memplan: interrupted: this is the best plan so far");
        return Err(Interrupted.into());
    }
    Ok(facts.fits())
}

/// How good the plans are so far, in words; nothing before there are any.
fn status(watches: &[Watch]) -> String {
    let best: Option<Vec<u64>> = watches.iter().map(Watch::best).collect();
    let Some(best) = best else {
        return String::new();
    };
    let sum = |all: &mut dyn Iterator<Item = u64>| all.fold(0, u64::saturating_add);
    let best = sum(&mut best.into_iter());
    let bound = sum(&mut watches.iter().map(Watch::bound)).min(best);
    let gap = (best - bound) as f64 / bound.max(1) as f64 * 100.0;
    format!(
        ": best {} B, bound {} B, gap {gap:.2}%",
        grouped(best),
        grouped(bound)
    )
}

/// Adds the CSV with the offsets of the best plans, after reading the text back and validating
/// it. Adds nothing if a space has no plan.
fn add_csv(
    outputs: &mut Outputs,
    path: &Path,
    table: &Table<'_>,
    results: &[Result<Outcome, PlanError>],
) -> Result<()> {
    let plans: Option<Vec<Solution>> = results
        .iter()
        .map(|result| plan(result).map(|plan| plan.solution.clone()))
        .collect();
    let Some(plans) = plans else {
        return Ok(());
    };
    let text = table.with_offsets(&plans);
    let name = files::name(path);
    let wrong = || format!("{name}: the output is invalid, and was not written");
    let mut again = Table::read(&text).with_context(wrong)?;
    for (space, before) in again.spaces.iter_mut().zip(&table.spaces) {
        let problem = &mut space.problem;
        problem.forbidden.clone_from(&before.problem.forbidden);
        problem.banks.clone_from(&before.problem.banks);
        validate(problem, &files::solution(problem)).with_context(wrong)?;
    }
    outputs.add(path, text.as_bytes())
}

/// Adds the certificate of the lower bound, after checking it.
fn add_certificate(
    outputs: &mut Outputs,
    path: &Path,
    problem: &Problem,
    result: &Result<Outcome, PlanError>,
) -> Result<()> {
    let (bound, certificate) = match result {
        Err(PlanError::Infeasible {
            lower_bound,
            certificate,
            ..
        })
        | Err(PlanError::NotPlaced {
            lower_bound,
            certificate,
        }) => (*lower_bound, &**certificate),
        other => match plan(other) {
            Some(outcome) => (outcome.bounds.lower_bound, &outcome.certificate),
            None => return Ok(()),
        },
    };
    if certificate::check(problem, certificate).is_ok_and(|proven| proven >= bound) {
        let text = certificate::to_text(bound, certificate);
        return outputs.add(path, text.as_bytes());
    }
    let name = files::name(path);
    Err(InternalError)
        .with_context(|| format!("{name}: the certificate proves less than it should"))
}

/// The plan, including one that does not fit.
fn plan(result: &Result<Outcome, PlanError>) -> Option<&Outcome> {
    match result {
        Ok(outcome) => Some(outcome),
        Err(PlanError::Capacity { best, .. }) => Some(best),
        Err(_) => None,
    }
}

/// Says that there are fewer threads than were asked for.
fn say_threads(started: usize, missing: usize) {
    if missing > 0 {
        files::say(&missing_threads(started, started + missing));
    }
}

fn progress_message(table: &Table<'_>) -> String {
    let buffers = counted(table.buffers(), "buffer");
    match table.spaces.len() {
        1 => format!("planning {buffers}"),
        spaces => format!("planning {buffers} in {}", counted(spaces, "memory space")),
    }
}

/// A parser of planner names, with which help and errors list them.
pub fn planners() -> impl TypedValueParser<Value = Planner> {
    PossibleValuesParser::new(Planner::ALL.map(Planner::name))
        .try_map(|name| name.parse::<Planner>())
}

/// Parses a time in seconds, with or without a fraction.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("'{text}' is not a time in seconds"))
}
