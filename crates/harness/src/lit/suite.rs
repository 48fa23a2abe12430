//! Finds the tests, runs them in parallel and prints the results.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::execute::{Outcome, SuiteConfig, run};
use crate::workers::work_on_all;

/// The extensions of test files.
const EXTENSIONS: [&str; 2] = ["mlir", "test"];

/// The result of a test.
#[derive(Debug)]
pub struct TestResult {
    /// The path of the test, relative to the suite's folder.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The elapsed time.
    pub time: Duration,
}

/// The tests below `folder`, in order of their paths. Ignores folders named `Inputs`.
///
/// # Errors
///
/// The error of reading a folder.
pub fn discover(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with("Inputs") {
                    folders.push(path);
                }
            } else if EXTENSIONS
                .iter()
                .any(|end| path.extension() == Some(end.as_ref()))
            {
                tests.push(path);
            }
        }
    }
    tests.sort();
    Ok(tests)
}

/// Runs `tests`, `jobs` at a time. The results are in the order of `tests`, with paths relative to
/// `folder`.
pub fn run_all(
    tests: &[PathBuf],
    folder: &Path,
    config: &SuiteConfig,
    jobs: usize,
) -> Vec<TestResult> {
    let name = |test: &PathBuf| {
        let name = test.strip_prefix(folder).unwrap_or(test);
        name.display().to_string()
    };
    let order: Vec<usize> = (0..tests.len()).collect();
    work_on_all(tests, &order, jobs, name, |test| {
        let start = Instant::now();
        let outcome = run(test, config);
        TestResult {
            name: name(test),
            outcome,
            time: start.elapsed(),
        }
    })
}

/// Prints the failures, or with `verbose` every test, then the counts. Returns whether nothing
/// failed.
///
/// # Errors
///
/// The error of writing to `out`.
pub fn summarize(results: &[TestResult], verbose: bool, out: &mut impl Write) -> io::Result<bool> {
    let width = results
        .iter()
        .map(|result| result.name.len())
        .max()
        .unwrap_or(0);
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for TestResult {
        name,
        outcome,
        time,
    } in results
    {
        let (count, word, detail) = match outcome {
            Outcome::Passed => (&mut passed, "pass", ""),
            Outcome::Failed(detail) => (&mut failed, "FAIL", detail.as_str()),
            Outcome::Skipped(reason) => (&mut skipped, "skip", reason.as_str()),
        };
        *count += 1;
        let seconds = time.as_secs_f64();
        match outcome {
            Outcome::Failed(_) => write!(out, "{word}  {name}\n{detail}\n")?,
            _ if verbose => {
                let line = format!("{word}  {name:width$}  {seconds:6.2} s  {detail}");
                writeln!(out, "{}", line.trim_end())?;
            }
            _ => {}
        }
    }
    writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(failed == 0)
}
