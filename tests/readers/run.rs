//! Runs a pass on all samples of a dialect, and assigns its messages to the samples.

use std::fs;
use std::process::Output;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{ending, limited};
use memplan_harness::samples::{Dialect, MARKER};
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;

use super::answer::{Answer, TestedPass};
use super::verdict::Verdict;

/// The time limit of a run.
const LIMIT: Duration = Duration::from_secs(120);

/// The id of internal errors.
const INTERNAL: &str = "E001";

/// The answers of a pass to the samples of a dialect.
pub struct Column {
    /// One cell for each sample.
    pub cells: Vec<String>,
    /// The verdict for each sample.
    pub verdicts: Vec<Verdict>,
    /// The samples on which the pass crashed.
    pub crashes: Vec<String>,
}

/// The samples of a dialect as MLIR prints them, to detect changes.
pub fn printed(tools: &Tools, dialect: &Dialect) -> Result<String> {
    let run = optimized(tools, &dialect.path, "")?;
    ensure!(run.output.status.success(), "{} is not valid", dialect.path);
    Ok(String::from_utf8(run.output.stdout)?)
}

/// The answers of a pass to all samples of a dialect. `printed` has the samples as MLIR prints them.
pub fn answers(
    tools: &Tools,
    dialect: &Dialect,
    printed: &str,
    pass: &TestedPass,
) -> Result<Column> {
    let run = optimized(tools, &dialect.path, pass.pipeline)?;
    if run.output.status.code().is_none_or(|code| code > 1) {
        return one_by_one(tools, dialect, pass);
    }
    let mut answers: Vec<Answer> = dialect.samples.iter().map(|_| Answer::default()).collect();
    let out = String::from_utf8(run.output.stdout)?;
    let (chunks, inputs): (Vec<_>, Vec<_>) =
        (out.split(MARKER).collect(), printed.split(MARKER).collect());
    ensure!(
        chunks.len() == answers.len() && inputs.len() == answers.len(),
        "{} of {} chunks come out of {} on {}",
        chunks.len(),
        answers.len(),
        pass.pipeline,
        dialect.path
    );
    for ((of, chunk), input) in answers.iter_mut().zip(chunks).zip(inputs) {
        of.output = chunk.to_owned();
        of.is_changed = chunk.trim() != input.trim();
    }
    listen(
        dialect,
        &String::from_utf8(run.output.stderr)?,
        &mut answers,
    );
    read_report(dialect, &run.report, &mut answers)
        .with_context(|| format!("{} on {}", pass.pipeline, dialect.path))?;
    let crashes = dialect
        .samples
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| answer.errors.contains(INTERNAL))
        .map(|(sample, _)| {
            let line = sample.line;
            format!("{} on {}:{line}: {INTERNAL}", pass.pipeline, dialect.path)
        });
    Ok(Column {
        crashes: crashes.collect(),
        cells: answers.iter().map(|answer| answer.cell(pass)).collect(),
        verdicts: answers.iter().map(Verdict::of).collect(),
    })
}

/// Finds the samples on which a pass crashes.
fn one_by_one(tools: &Tools, dialect: &Dialect, pass: &TestedPass) -> Result<Column> {
    let folder = tempfile::tempdir()?;
    let mut crashes = Vec::new();
    for sample in &dialect.samples {
        let path = folder.path().join("sample.mlir");
        fs::write(&path, &sample.text)?;
        let run = optimized(tools, &path.to_string_lossy(), pass.pipeline)?;
        if run.output.status.code().is_none_or(|code| code > 1) {
            crashes.push(format!(
                "{} on {}:{}: {}",
                pass.pipeline,
                dialect.path,
                sample.line,
                ending(run.output.status)
            ));
        }
    }
    ensure!(
        !crashes.is_empty(),
        "{} crashes on {}, and on no sample alone",
        pass.pipeline,
        dialect.path
    );
    Ok(Column {
        cells: Vec::new(),
        verdicts: Vec::new(),
        crashes,
    })
}

/// The output of `mlir-opt`.
struct Run {
    output: Output,
    report: String,
}

fn optimized(tools: &Tools, path: &str, pipeline: &str) -> Result<Run> {
    let report = tempfile::NamedTempFile::new()?;
    let pipeline = pipeline.replace("REPORT", &report.path().to_string_lossy());
    let output = limited(LIMIT, tools.mlir_opt())
        .current_dir(root())
        .args(["--split-input-file", "--mlir-disable-threading", path])
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!("--pass-pipeline=builtin.module({pipeline})"))
        .output()?;
    Ok(Run {
        output,
        report: fs::read_to_string(report.path())?,
    })
}

/// Parses diagnostics: `PATH:LINE:COLUMN: KIND: TEXT [memplan-ID]`. The source line and the caret below are
/// skipped.
fn listen(dialect: &Dialect, errors: &str, answers: &mut [Answer]) {
    for line in errors.lines() {
        let Some((sample, rest)) = located(dialect, line) else {
            continue;
        };
        let Some((kind, text)) = rest.split_once(": ") else {
            continue;
        };
        let id = text
            .strip_suffix(']')
            .and_then(|text| text.rsplit_once("[memplan-"))
            .map(|(_, id)| id.to_owned());
        let answer = &mut answers[sample];
        match kind.trim() {
            "error" => {
                answer
                    .errors
                    .insert(id.unwrap_or_else(|| format!("\"{text}\"")));
            }
            "warning" => answer.warnings.extend(id),
            "remark" => answer.remarks.extend(id.map(|id| {
                let reason = text
                    .split_once('[')
                    .and_then(|(_, after)| after.split_once(']'));
                let reason = reason.map(|(reason, _)| reason.to_owned());
                (id, reason.filter(|reason| !reason.starts_with("memplan-")))
            })),
            _ => {}
        }
    }
}

/// The sample that contains the location `PATH:LINE:COLUMN` at the start of a text, and the rest of the text.
fn located<'t>(dialect: &Dialect, text: &'t str) -> Option<(usize, &'t str)> {
    let rest = text.strip_prefix(&dialect.path)?.strip_prefix(':')?;
    let (line, rest) = rest.split_once(':')?;
    let column = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let sample = dialect.sample_at(line.parse().ok()?)?;
    Some((sample, rest[column..].trim_start_matches(':')))
}

/// Parses the bytes planned, and the reasons for skipped allocations.
fn read_report(dialect: &Dialect, text: &str, answers: &mut [Answer]) -> Result<()> {
    for report in Report::read_all(text)? {
        for function in report.functions {
            for skipped in function.skipped {
                let (sample, _) =
                    located(dialect, &skipped.location).context(skipped.location.clone())?;
                *answers[sample].skipped.entry(skipped.reason).or_default() += 1;
            }
            for scope in function.scopes {
                let (sample, _) =
                    located(dialect, &scope.location).context(scope.location.clone())?;
                *answers[sample].bytes.get_or_insert(0) += scope.planned_bytes;
            }
            for placed in function
                .regions
                .into_iter()
                .flat_map(|regions| regions.placed)
            {
                let (sample, _) =
                    located(dialect, &placed.location).context(placed.location.clone())?;
                answers[sample].placed += 1;
            }
        }
    }
    Ok(())
}
