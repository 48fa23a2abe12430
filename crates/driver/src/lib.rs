//! The subcommands of `memplan`, and what its executables share. Nothing here loads LLVM.
//!
//! | executable | subcommands |
//! |---|---|
//! | `memplan` | those of [`Command`]; it becomes `memplan-llvm` for three |
//! | `memplan-llvm` | `compile`, `link` and `header`; it is `memplan-opt`, too |
//! | `memplan-opt` | `mlir-opt` with memplan's passes: it becomes `memplan-llvm` |
//!
//! | exit code | says |
//! |---|---|
//! | 0 | done; the buffers fit |
//! | 1 | `compile`: something of the module failed; they do not fit, or `solve` found no plan that does; `check`: the plan is wrong |
//! | 2 | the input or the command line cannot be understood, or a file not be read or written; `check`: the certificate is refused, or does not tell what was asked |
//! | 3 | a fault of memplan: a plan that it made is wrong, and was not written |
//! | 130 | Ctrl-C: `solve` wrote the best plan so far, others nothing |
//! | 141 | nobody reads what it prints: the pipe is closed |
//! | 143 | SIGTERM: nothing was written |

#![forbid(unsafe_code)]

mod bound;
mod check;
pub mod compile;
mod completions;
mod explain;
mod facts;
pub mod files;
pub mod header;
mod help;
mod limits;
pub mod link;
mod man_pages;
mod plot;
mod problems;
mod progress;
mod signals;
mod solve;
mod table;
mod version;
pub mod with_llvm;

use anyhow::{Error, Result};
use clap::Subcommand;
use memplan_planner::validate::Violation;
use std::{ffi::OsString, io::ErrorKind, process::ExitCode};

/// A subcommand.
#[derive(Subcommand)]
#[expect(
    missing_docs,
    reason = "clap would show it in place of the arguments' own text"
)]
pub enum Command {
    Solve(solve::Arguments),
    Bound(bound::Arguments),
    Check(check::Arguments),
    Plot(plot::Arguments),
    Table(table::Arguments),
    Explain(explain::Arguments),
    Version(version::Arguments),
    Compile(Box<compile::Arguments>),
    Link(link::Arguments),
    Header(header::Arguments),
    Help(help::Arguments),
    Completions(completions::Arguments),
}

/// Exit code for buffers that do not fit.
const NO: u8 = 1;
/// Exit code for what cannot be understood, read or written.
pub const BAD: u8 = 2;
/// Exit code for a fault of ours.
const FAULT: u8 = 3;
/// Exit code for Ctrl-C, as of a process that SIGINT ends.
const INTERRUPTED: u8 = 128 + 2;
/// Exit code for a closed pipe, as of a process that SIGPIPE ends.
const CLOSED: u8 = 128 + 13;
/// Exit code for SIGTERM, as of a process that it ends.
const TERMINATED: u8 = 128 + 15;

/// A fault of ours that was noticed in time.
#[derive(Debug, thiserror::Error)]
#[error("internal error of memplan, nothing was written")]
struct InternalError;

/// Runs a subcommand. `all` has the help of all subcommands. `commit`: of the source, where it is known.
///
/// # Errors
///
/// The input cannot be read, or is wrong; a file cannot be written; `memplan-llvm` cannot be run.
pub fn run(command: Command, all: clap::Command, commit: Option<&str>) -> Result<bool> {
    match command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Bound(arguments) => bound::run(&arguments).map(|()| true),
        Command::Check(arguments) => check::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments).map(|()| true),
        Command::Table(arguments) => table::run(&arguments).map(|()| true),
        Command::Explain(arguments) => explain::run(&arguments).map(|()| true),
        Command::Version(arguments) => version::run(&arguments, commit).map(|()| true),
        Command::Compile(_) | Command::Link(_) | Command::Header(_) => Err(with_llvm::become_it()),
        Command::Help(arguments) => help::run(&arguments, all).map(|()| true),
        Command::Completions(arguments) => completions::run(&arguments, all).map(|()| true),
    }
}

/// The warning that the system starts fewer threads than were asked for.
pub fn missing_threads(started: usize, wanted: usize) -> String {
    format!(
        "memplan: warning: the system started {started} of {wanted} threads, and no more; these do all the work"
    )
}

/// A command line, parsed; the exit code if that is not to be run: help was asked for and printed, or it is wrong.
///
/// # Errors
///
/// The exit code.
pub fn parsed<T: clap::Parser>(arguments: Vec<OsString>) -> Result<T, ExitCode> {
    T::try_parse_from(arguments).map_err(|error| match error.print() {
        Ok(()) if error.exit_code() == 0 => ExitCode::SUCCESS,
        Err(closed) if closed.kind() == ErrorKind::BrokenPipe => ExitCode::from(CLOSED),
        _ => ExitCode::from(BAD),
    })
}

/// The exit code of a subcommand; an error is printed.
pub fn exit_code(outcome: Result<bool, Error>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(NO),
        Err(error) if error.is::<files::ClosedPipe>() => ExitCode::from(CLOSED),
        // That was said.
        Err(error) if error.is::<signals::Interrupted>() => ExitCode::from(INTERRUPTED),
        Err(error) => {
            files::say(&format!("memplan: error: {error:#}"));
            let fault = error
                .chain()
                .any(|cause| cause.is::<Violation>() || cause.is::<InternalError>());
            ExitCode::from(match fault {
                true => FAULT,
                false if error.is::<signals::Terminated>() => TERMINATED,
                false => BAD,
            })
        }
    }
}
