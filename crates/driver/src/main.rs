//! The command line of memplan: `solve`, `bound` and `check` plan memory for buffers in a CSV;
//! `plot` and `table` look at plans.
//!
//! | exit code | says |
//! |---|---|
//! | 0 | done; the buffers fit |
//! | 1 | they do not fit, or `solve` found no plan that does; `check`: the plan is wrong |
//! | 2 | the input or the command line cannot be understood, or a file not be read or written; `check`: the certificate is refused, or does not tell what was asked |
//! | 3 | a fault of memplan: a plan that it made is wrong, and was not written |

#![forbid(unsafe_code)]

mod bound;
mod bytes;
mod check;
mod facts;
mod files;
mod limits;
mod plot;
mod progress;
mod solve;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use memplan_planner::validate::Violation;

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version)]
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

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Bound(arguments) => bound::run(&arguments).map(|()| true),
        Command::Check(arguments) => check::run(&arguments),
        Command::Plot(arguments) => plot::run(&arguments).map(|()| true),
        Command::Table(arguments) => table::run(&arguments).map(|()| true),
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
