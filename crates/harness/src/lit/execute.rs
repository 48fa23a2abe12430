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

/// The configuration of all tests of a suite.
#[derive(Debug, Clone)]
pub struct SuiteConfig {
    /// The available features, for `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:`.
    pub features: BTreeSet<String>,
    /// The substitutions, without `%s`, `%S`, `%t` and `%T`, which differ for each test.
    pub substitutions: Substitutions,
    /// The `PATH` of the commands.
    pub path: OsString,
    /// The time limit of one command.
    pub limit: Duration,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The test passed, or failed as `XFAIL` expects.
    Passed,
    /// The test failed. The text shows the command and its output.
    Failed(String),
    /// The test was not run, for this reason.
    Skipped(String),
}

/// Runs the test `file`.
pub fn run(file: &Path, config: &SuiteConfig) -> Outcome {
    evaluate(file, config).unwrap_or_else(|error| Outcome::Failed(format!("{error:#}\n")))
}

fn evaluate(file: &Path, config: &SuiteConfig) -> Result<Outcome> {
    let script = Script::parse(&fs::read_to_string(file)?)?;
    if let Some(reason) = script.skip_reason(&config.features)? {
        return Ok(Outcome::Skipped(reason));
    }
    let has_to_fail = script.expected_to_fail(&config.features)?;
    Ok(match (run_commands(file, &script, config)?, has_to_fail) {
        (None, false) | (Some(_), true) => Outcome::Passed,
        (Some(failure), false) => Outcome::Failed(failure),
        (None, true) => Outcome::Failed("passed, but XFAIL says that it fails\n".to_owned()),
    })
}

/// Runs the commands up to the first that fails. Returns the text of that failure.
fn run_commands(file: &Path, script: &Script, config: &SuiteConfig) -> Result<Option<String>> {
    let folder = tempfile::tempdir()?;
    let name = file
        .file_name()
        .ok_or_else(|| anyhow!("a test has a name"))?;
    let mut temporary = name.to_owned();
    temporary.push(".tmp");
    let substitutions = config
        .substitutions
        .clone()
        .with_path("s", file)
        .with_path("S", file.parent().unwrap_or(Path::new(".")))
        .with_path("t", &folder.path().join(temporary))
        .with_path("T", folder.path());
    for run in &script.runs {
        let command = substitutions.apply(run);
        let output = shell(&command, folder.path(), config)?;
        if !output.status.success() {
            return Ok(Some(failure(&command, &output)));
        }
    }
    Ok(None)
}

/// Runs the command in a new bash.
fn shell(command: &str, folder: &Path, config: &SuiteConfig) -> Result<Output> {
    limited(config.limit, "bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(folder)
        .env("PATH", &config.path)
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
