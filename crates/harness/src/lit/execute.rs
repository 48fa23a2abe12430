//! Runs one test.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::script::Script;
use super::substitution::Substitutions;
use crate::command::{ending, limited};

/// What all tests of a suite share.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The features that `REQUIRES:` and its like ask for.
    pub features: BTreeSet<String>,
    /// All but `%s`, `%S`, `%t` and `%T`, which each test has for itself.
    pub substitutions: Substitutions,
    /// The `PATH` of the commands.
    pub path: OsString,
    /// How long one command may take.
    pub limit: Duration,
}

/// How a test went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As it should, also where it had to fail.
    Passed,
    /// Not as it should; the text shows the command and its output.
    Failed(String),
    /// Not run, for this reason.
    Skipped(String),
}

/// Runs the test `file`.
pub fn run(file: &Path, surroundings: &Surroundings) -> Outcome {
    judge(file, surroundings).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}\n")))
}

fn judge(file: &Path, surroundings: &Surroundings) -> Result<Outcome> {
    let script = Script::parse(&fs::read_to_string(file)?)?;
    if let Some(reason) = script.skip_reason(&surroundings.features)? {
        return Ok(Outcome::Skipped(reason));
    }
    let has_to_fail = script.expected_to_fail(&surroundings.features)?;
    Ok(
        match (commands(file, &script, surroundings)?, has_to_fail) {
            (None, false) | (Some(_), true) => Outcome::Passed,
            (Some(failure), false) => Outcome::Failed(failure),
            (None, true) => Outcome::Failed("passed, but XFAIL says that it fails\n".to_owned()),
        },
    )
}

/// Runs the commands up to the first that fails, and shows that one.
fn commands(file: &Path, script: &Script, surroundings: &Surroundings) -> Result<Option<String>> {
    let folder = tempfile::tempdir()?;
    let name = file
        .file_name()
        .ok_or_else(|| anyhow!("a test has a name"))?;
    let mut temporary = name.to_owned();
    temporary.push(".tmp");
    let substitutions = surroundings
        .substitutions
        .clone()
        .with_path("s", file)
        .with_path("S", file.parent().unwrap_or(Path::new(".")))
        .with_path("t", &folder.path().join(temporary))
        .with_path("T", folder.path());
    for run in &script.runs {
        let command = substitutions.apply(run);
        let output = shell(&command, folder.path(), surroundings)?;
        if !output.status.success() {
            return Ok(Some(failure(&command, &output)));
        }
    }
    Ok(None)
}

/// The command in a bash of its own.
fn shell(command: &str, folder: &Path, surroundings: &Surroundings) -> Result<Output> {
    limited(surroundings.limit, "bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(folder)
        .env("PATH", &surroundings.path)
        .output()
        .context("cannot run bash")
}

fn failure(command: &str, output: &Output) -> String {
    let mut text = format!("$ {command}\n");
    for (name, stream) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !stream.is_empty() {
            let content = String::from_utf8_lossy(stream);
            let _ = writeln!(text, "--- {name}\n{}", content.trim_end());
        }
    }
    let _ = writeln!(text, "--- {}", ending(output.status));
    text
}
