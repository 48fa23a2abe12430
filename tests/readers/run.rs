//! Runs a pass on all samples of a dialect, and tells apart what it says of each.

use std::fs;
use std::process::Output;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{ending, limited};
use memplan_harness::samples::{Dialect, MARKER};
use memplan_harness::tools::{Tools, root};
use memplan_report::Report;

use super::answer::{Heard, Reader};
use super::verdict::Verdict;

/// How long a run may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The error of a fault of memplan's own.
const INTERNAL: &str = "E001";

/// A pass's answers to the samples of a dialect.
pub struct Column {
    /// One each.
    pub cells: Vec<String>,
    /// What each comes to.
    pub verdicts: Vec<Verdict>,
    /// What crashed.
    pub crashes: Vec<String>,
}

/// The samples of a dialect as MLIR prints them, to tell whether a pass changes anything.
pub fn printed(tools: &Tools, dialect: &Dialect) -> Result<String> {
    let run = optimized(tools, &dialect.path, "")?;
    ensure!(run.output.status.success(), "{} is not valid", dialect.path);
    Ok(String::from_utf8(run.output.stdout)?)
}

/// Asks a pass about all samples of a dialect, which are `printed` so.
pub fn answers(tools: &Tools, dialect: &Dialect, printed: &str, reader: &Reader) -> Result<Column> {
    let run = optimized(tools, &dialect.path, reader.pipeline)?;
    if run.output.status.code().is_none_or(|code| code > 1) {
        return one_by_one(tools, dialect, reader);
    }
    let mut heard: Vec<Heard> = dialect.samples.iter().map(|_| Heard::default()).collect();
    let out = String::from_utf8(run.output.stdout)?;
    let (chunks, inputs): (Vec<_>, Vec<_>) =
        (out.split(MARKER).collect(), printed.split(MARKER).collect());
    ensure!(
        chunks.len() == heard.len() && inputs.len() == heard.len(),
        "{} of {} chunks come out of {} on {}",
        chunks.len(),
        heard.len(),
        reader.pipeline,
        dialect.path
    );
    for ((of, chunk), input) in heard.iter_mut().zip(chunks).zip(inputs) {
        of.output = chunk.to_owned();
        of.is_changed = chunk.trim() != input.trim();
    }
    listen(dialect, &String::from_utf8(run.output.stderr)?, &mut heard);
    read_report(dialect, &run.report, &mut heard)
        .with_context(|| format!("{} on {}", reader.pipeline, dialect.path))?;
    let crashes = dialect
        .samples
        .iter()
        .zip(&heard)
        .filter(|(_, heard)| heard.errors.contains(INTERNAL))
        .map(|(sample, _)| {
            let line = sample.line;
            format!("{} on {}:{line}: {INTERNAL}", reader.pipeline, dialect.path)
        });
    Ok(Column {
        crashes: crashes.collect(),
        cells: heard.iter().map(|heard| heard.cell(reader)).collect(),
        verdicts: heard.iter().map(Verdict::of).collect(),
    })
}

/// Finds the samples that a pass crashes on.
fn one_by_one(tools: &Tools, dialect: &Dialect, reader: &Reader) -> Result<Column> {
    let folder = tempfile::tempdir()?;
    let mut crashes = Vec::new();
    for sample in &dialect.samples {
        let path = folder.path().join("sample.mlir");
        fs::write(&path, &sample.text)?;
        let run = optimized(tools, &path.to_string_lossy(), reader.pipeline)?;
        if run.output.status.code().is_none_or(|code| code > 1) {
            crashes.push(format!(
                "{} on {}:{}: {}",
                reader.pipeline,
                dialect.path,
                sample.line,
                ending(run.output.status)
            ));
        }
    }
    ensure!(
        !crashes.is_empty(),
        "{} crashes on {}, and on no sample alone",
        reader.pipeline,
        dialect.path
    );
    Ok(Column {
        cells: Vec::new(),
        verdicts: Vec::new(),
        crashes,
    })
}

/// What `mlir-opt` writes.
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

/// Diagnostics: `PATH:LINE:COLUMN: KIND: TEXT [memplan-ID]`. The source line and the caret below are passed over.
fn listen(dialect: &Dialect, errors: &str, heard: &mut [Heard]) {
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
        let heard = &mut heard[sample];
        match kind.trim() {
            "error" => {
                heard
                    .errors
                    .insert(id.unwrap_or_else(|| format!("\"{text}\"")));
            }
            "warning" => heard.warnings.extend(id),
            "remark" => heard.remarks.extend(id.map(|id| {
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

/// The sample that `PATH:LINE:COLUMN` at the start of a text is in, and what follows.
fn located<'t>(dialect: &Dialect, text: &'t str) -> Option<(usize, &'t str)> {
    let rest = text.strip_prefix(&dialect.path)?.strip_prefix(':')?;
    let (line, rest) = rest.split_once(':')?;
    let column = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let sample = dialect.sample_at(line.parse().ok()?)?;
    Some((sample, rest[column..].trim_start_matches(':')))
}

/// Bytes planned, and reasons for what is left alone.
fn read_report(dialect: &Dialect, text: &str, heard: &mut [Heard]) -> Result<()> {
    for report in Report::read_all(text)? {
        for function in report.functions {
            for skipped in function.skipped {
                let (sample, _) =
                    located(dialect, &skipped.location).context(skipped.location.clone())?;
                *heard[sample].skipped.entry(skipped.reason).or_default() += 1;
            }
            for scope in function.scopes {
                let (sample, _) =
                    located(dialect, &scope.location).context(scope.location.clone())?;
                *heard[sample].bytes.get_or_insert(0) += scope.planned_bytes;
            }
            for placed in function
                .regions
                .into_iter()
                .flat_map(|regions| regions.placed)
            {
                let (sample, _) =
                    located(dialect, &placed.location).context(placed.location.clone())?;
                heard[sample].placed += 1;
            }
        }
    }
    Ok(())
}
