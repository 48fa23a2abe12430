//! Finds the tests, runs them on all cores and says how they went.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::execute::{Outcome, Surroundings, run};
use crate::workers::work_on_all;

/// Files that end so are tests.
const EXTENSIONS: [&str; 2] = ["mlir", "test"];

/// A test that has been run.
#[derive(Debug)]
pub struct Done {
    /// Its path below the suite's folder.
    pub name: String,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// The tests below `folder`, in order of their paths. `Inputs` folders hold none.
///
/// # Errors
///
/// A folder cannot be read.
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

/// Runs `tests`, `jobs` at a time; the results are in the order of `tests`, named by their paths below `folder`.
pub fn run_all(
    tests: &[PathBuf],
    folder: &Path,
    surroundings: &Surroundings,
    jobs: usize,
) -> Vec<Done> {
    let name = |test: &PathBuf| {
        let name = test.strip_prefix(folder).unwrap_or(test);
        name.display().to_string()
    };
    let turns: Vec<usize> = (0..tests.len()).collect();
    work_on_all(tests, &turns, jobs, name, |test| {
        let start = Instant::now();
        let outcome = run(test, surroundings);
        Done {
            name: name(test),
            outcome,
            time: start.elapsed(),
        }
    })
}

/// Shows the failures, with `verbose` every test, and the numbers last. Returns whether nothing failed.
///
/// # Errors
///
/// Nothing can be written to `out`.
pub fn summarize(results: &[Done], verbose: bool, out: &mut impl Write) -> io::Result<bool> {
    let width = results
        .iter()
        .map(|done| done.name.len())
        .max()
        .unwrap_or(0);
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for Done {
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
