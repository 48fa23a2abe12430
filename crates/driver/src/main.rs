//! The command line of memplan: `plot` and `table` look at what a run reported.

#![forbid(unsafe_code)]

mod files;
mod plot;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Memory planning for MLIR: look at plans.
#[derive(Parser)]
#[command(name = "memplan", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plot(plot::Arguments),
    Table(table::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Plot(arguments) => plot::run(&arguments),
        Command::Table(arguments) => table::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("memplan: error: {error:#}");
            ExitCode::from(2)
        }
    }
}
