//! Runs commands with a time limit, and shows those that fail.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// The ratio of the limits of elapsed time and of CPU time, for a machine with other load.
const PATIENCE: u32 = 8;

/// `program` with a limit of CPU time. It is killed with all its children if it is not done after
/// several times that time.
pub fn limited(limit: Duration, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("timeout");
    command
        .arg("--signal=KILL")
        .arg((limit * PATIENCE).as_secs_f64().to_string())
        .arg("prlimit")
        .arg(format!("--cpu={}", limit.as_secs_f64().ceil()))
        .arg(program)
        .stdin(Stdio::null());
    command
}

/// Runs a command that must succeed, and returns its standard output. The command must come from
/// [`limited`].
///
/// # Errors
///
/// The command does not start, or fails. The error has its exit status and the first lines of its
/// standard error.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let words: Vec<_> = command
        .get_args()
        .skip(4)
        .map(OsStr::to_string_lossy)
        .collect();
    let shown = words.join(" ");
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().with_context(|| shown.clone())?;
    if !status.success() {
        let messages = String::from_utf8_lossy(&stderr);
        let messages: Vec<_> = messages.lines().take(40).collect();
        bail!("{}: {shown}\n{}", ending(status), messages.join("\n"));
    }
    Ok(stdout)
}

/// The description of a command that was killed.
pub const OUT_OF_TIME: &str = "killed, most likely out of time";

/// Whether the error of [`output`] says that the command crashed or ran into its time limit.
pub fn is_crash_or_timeout(error: &str) -> bool {
    error.starts_with("ended by signal") || error.starts_with(OUT_OF_TIME)
}

/// The description of a failed command's exit status.
pub fn ending(status: ExitStatus) -> String {
    const KILLED: i32 = 128 + 9;
    match (status.code(), status.signal()) {
        (Some(KILLED), _) | (_, Some(9)) => OUT_OF_TIME.to_owned(),
        (Some(code), _) if code > 128 => format!("ended by signal {}", code - 128),
        (Some(code), _) => format!("exit status {code}"),
        (None, signal) => format!("ended by signal {}", signal.unwrap_or_default()),
    }
}
