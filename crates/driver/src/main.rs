//! The command line of memplan: `solve`, `bound` and `check` plan memory for buffers in a CSV;
//! `plot` and `table` look at plans; `compile` makes an object of a module, and `link` of its shards; `help` prints pages of
//! the manual.
//!
//! | exit code | says |
//! |---|---|
//! | 0 | done; the buffers fit |
//! | 1 | `compile`: something of the module failed; they do not fit, or `solve` found no plan that does; `check`: the plan is wrong |
//! | 2 | the input or the command line cannot be understood, or a file not be read or written; `check`: the certificate is refused, or does not tell what was asked |
//! | 3 | a fault of memplan: a plan that it made is wrong, and was not written |

#![forbid(unsafe_code)]

mod bound;
mod bytes;
mod check;
mod compile;
mod facts;
mod files;
mod help;
mod limits;
mod link;
mod plot;
mod progress;
mod solve;
mod table;

use std::{env, ffi::OsString, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use memplan_planner::validate::Violation;

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Arguments),
    Bound(bound::Arguments),
    Check(check::Arguments),
    Plot(plot::Arguments),
    Table(table::Arguments),
    Compile(Box<compile::Arguments>),
    Link(link::Arguments),
    Help(help::Arguments),
}

/// Exit code for buffers that do not fit.
const NO: u8 = 1;
/// Exit code for what cannot be understood, read or written.
const BAD: u8 = 2;
/// Exit code for a fault of ours.
const FAULT: u8 = 3;

/// A fault of ours that was noticed in time.
#[derive(Debug, thiserror::Error)]
#[error("a fault of memplan, nothing was written")]
struct Fault;

/// The command line; for what compiles and links, `@FILE` stands for the lines of a file.
pub(crate) fn expanded() -> Vec<OsString> {
    let given: Vec<OsString> = env::args_os().collect();
    let command = given.get(1).and_then(|name| name.to_str());
    if !matches!(command, Some("compile" | "link")) {
        return given;
    }
    match argfile::expand_args(argfile::parse_fromfile, argfile::PREFIX) {
        Ok(all) => all,
        Err(error) => {
            eprintln!("memplan: error: cannot read arguments from a file: {error}");
            std::process::exit(i32::from(BAD));
        }
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse_from(expanded()).command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Bound(arguments) => bound::run(&arguments).map(|()| true),
        Command::Check(arguments) => check::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments).map(|()| true),
        Command::Table(arguments) => table::run(&arguments).map(|()| true),
        Command::Compile(arguments) => compile::run(&arguments),
        Command::Link(arguments) => link::run(&arguments).map(|()| true),
        Command::Help(arguments) => help::run(&arguments, Arguments::command()).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(NO),
        Err(error) => {
            eprintln!("memplan: error: {error:#}");
            let fault = error
                .chain()
                .any(|cause| cause.is::<Violation>() || cause.is::<Fault>());
            ExitCode::from(if fault { FAULT } else { BAD })
        }
    }
}
