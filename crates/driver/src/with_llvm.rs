//! The executable that needs LLVM, and lies beside `memplan`: it runs in place of this process, or prints what this one needs.

use anyhow::{Context, Error, Result, anyhow};
use std::{env, ffi::OsString, os::unix::process::CommandExt, path::PathBuf, process::Command};

/// The name of the executable.
const NAME: &str = "memplan-llvm";

/// The first argument by which it prints the LLVM that it has loaded: its version, a space, its library.
pub const LOADED_LLVM: &str = "loaded-llvm";

/// The first argument by which it prints the tables of the manual's page on operations.
pub const OPERATIONS: &str = "operations";

/// The first argument by which it is `mlir-opt` with memplan's passes, for the arguments that follow.
pub const OPT: &str = "opt";

/// The subcommands that it runs.
const SUBCOMMANDS: [&str; 3] = ["compile", "link", "header"];

/// Whether a command line is run there. One that asks for help is not.
pub fn runs(arguments: &[OsString]) -> bool {
    let Some((name, rest)) = arguments.get(1..).and_then(<[_]>::split_first) else {
        return false;
    };
    let asks_for_help = rest.iter().any(|one| one == "--help" || one == "-h");
    SUBCOMMANDS.iter().any(|one| name == one) && !asks_for_help
}

/// Runs the command line of this process there. Returns only if that cannot be started.
pub fn become_it() -> Error {
    become_with(None)
}

/// Runs a tool there, such as [`OPT`], with the arguments of this process. Returns only if that cannot be started.
pub fn become_tool(name: &str) -> Error {
    become_with(Some(name))
}

fn become_with(tool: Option<&str>) -> Error {
    let program = match path() {
        Ok(program) => program,
        Err(error) => return error,
    };
    let mut arguments = env::args_os();
    let mut command = Command::new(&program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    let error = command.args(tool).args(arguments).exec();
    anyhow!("cannot run {}: {error}", program.display())
}

/// What it prints for an argument.
///
/// # Errors
///
/// The reason why it does not run, in words: it is missing, or one of its libraries is.
pub fn output(argument: &str) -> Result<String, String> {
    let program = path().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg(argument).output();
    let output = output.map_err(|error| format!("{NAME}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let Some(line) = said.lines().next() else {
        return Err(format!("{NAME}: {}", output.status));
    };
    // The loader's line begins with the path of the executable, and its reason has a space after each colon.
    let reason = line.split_once(": ").map_or(line, |(_, reason)| reason);
    Err(reason.to_owned())
}

fn path() -> Result<PathBuf> {
    let this = env::current_exe().context("cannot determine the path of memplan")?;
    Ok(this.with_file_name(NAME))
}
