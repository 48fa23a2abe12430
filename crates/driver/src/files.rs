//! Reads reports and CSV files, and writes results.

use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow, bail};
use memplan_output::{Staged, targets::Targets};
use memplan_planner::{Problem, Solution};
use memplan_report::{Report, Shape};

/// The path that stands for standard input or output.
const DASH: &str = "-";

/// Whether the path stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new(DASH)
}

/// Reads the text of a CSV; `-` is standard input. Errors in UTF-8 have line and column.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let start = before.iter().rposition(|&byte| byte == b'\n');
        let in_line = &before[start.map_or(0, |at| at + 1)..];
        let count = |bytes: &[u8], what| bytes.iter().filter(|&&byte| byte == what).count();
        anyhow!(
            "{}: line {}, column {}: this is not UTF-8",
            name(path),
            1 + count(before, b'\n'),
            1 + count(in_line, b',')
        )
    })
}

/// Reads all documents of a report file as one report; `-` is standard input.
pub fn read_report(path: &Path) -> Result<Report> {
    let text = String::from_utf8(read(path)?);
    let text = text.with_context(|| format!("{} is not UTF-8", name(path)))?;
    report_of(&text, path)
}

/// Parses the text of a report file.
pub fn report_of(text: &str, path: &Path) -> Result<Report> {
    let name = name(path);
    if text.trim_start().starts_with(|c| c != '{') {
        bail!(
            "{name} is not a report; write one with report=FILE, and check plans in a CSV with \
            memplan check"
        );
    }
    let reports = Report::read_all(text).with_context(|| name.clone())?;
    if reports.is_empty() {
        bail!("{name} contains no report");
    }
    Ok(Report::merge(reports))
}

/// The option `--dim`.
#[derive(clap::Args)]
pub struct Dimensions {
    /// Values of dimensions, such as d0=128 or d0=128,forward:d1=7: buffers of dynamic size become those of this
    /// shape. The names are those of sizes in the report.
    #[arg(
        long = "dim",
        value_name = "[FUNCTION:]dN=VALUE",
        value_delimiter = ','
    )]
    dimensions: Vec<String>,
}

impl Dimensions {
    /// The report at these values; the same without any.
    pub fn at(&self, report: Report, path: &Path) -> Result<Report> {
        if self.dimensions.is_empty() {
            return Ok(report);
        }
        let shape = Shape::of(self.dimensions.iter().map(String::as_str));
        let shape = shape.context("option --dim")?;
        let at = shape.at(&report);
        at.with_context(|| format!("{}: option --dim", name(path)))
    }
}

/// The bytes of a file; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = if is_dash(path) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.with_context(|| format!("cannot read {}", name(path)))
}

/// The plan that consists of the fixed offsets of a problem.
pub fn solution(problem: &Problem) -> Solution {
    let offsets = problem.buffers.iter();
    let offsets = offsets.map(|buffer| buffer.fixed_offset.unwrap_or(0));
    Solution::new(problem, offsets.collect())
}

/// The problem without its capacity.
pub fn without_capacity(problem: &Problem) -> Cow<'_, Problem> {
    let mut problem = Cow::Borrowed(problem);
    if problem.capacity.is_some() {
        problem.to_mut().capacity = None;
    }
    problem
}

/// The problem without fixed offsets.
pub fn without_fixed_offsets(problem: &Problem) -> Problem {
    let mut problem = problem.clone();
    for buffer in &mut problem.buffers {
        buffer.fixed_offset = None;
    }
    problem
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    if is_dash(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// What a command writes: nothing of it is anywhere until all of it is complete.
#[derive(Default)]
pub struct Outputs {
    staged: Vec<Staged>,
    printed: Vec<u8>,
}

impl Outputs {
    /// Adds an output; `-` is standard output.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        match is_dash(path) {
            true => self.printed.extend_from_slice(bytes),
            false => self.staged.push(Staged::new(path, bytes)?),
        }
        Ok(())
    }

    /// Puts all outputs in their places.
    pub fn commit(self) -> Result<()> {
        for staged in self.staged {
            staged.commit()?;
        }
        match self.printed.is_empty() {
            true => Ok(()),
            false => print_bytes(&self.printed),
        }
    }
}

/// Checks the one output of a command, before any work: it can be written, and is not the input.
pub fn check_output(output: &Path, input: &Path) -> Result<()> {
    let mut targets = Targets::default();
    targets.input("the input", input);
    check_outputs(&mut targets, [("the output", output)])
}

/// Checks outputs before any work: they can be written, and each is in a place of its own.
pub fn check_outputs<'p>(
    targets: &mut Targets,
    outputs: impl IntoIterator<Item = (&'p str, &'p Path)>,
) -> Result<()> {
    for (name, path) in outputs {
        targets.output(name, path)?;
        if !is_dash(path) {
            memplan_output::check(path)?;
        }
    }
    Ok(())
}

/// Writes an output; `-` is standard output.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes)?;
    outputs.commit()
}

/// Writes `text` to standard output.
pub fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes `text` to standard error, where that is what the command prints.
pub fn print_aside(text: &str) -> Result<()> {
    written(io::stderr().write_all(text.as_bytes()), "error")
}

/// Writes a line to standard error. Where that cannot be, there is nobody to tell.
pub fn say(line: &str) {
    _ = writeln!(io::stderr(), "{line}");
}

fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    written(out.write_all(bytes).and_then(|()| out.flush()), "output")
}

/// Nobody reads what is printed: the end of it all, as with other commands, without a word.
#[derive(Debug, thiserror::Error)]
#[error("standard {0} is closed")]
pub struct ClosedPipe(&'static str);

fn written(result: io::Result<()>, stream: &'static str) -> Result<()> {
    result.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => ClosedPipe(stream).into(),
        _ => Error::new(error).context(format!("cannot write to standard {stream}")),
    })
}
