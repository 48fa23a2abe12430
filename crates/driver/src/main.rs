//! `memplan`: reads the command line, and runs the subcommands that need no LLVM. For the others, the process becomes
//! `memplan-llvm`, so that this one starts where LLVM is missing.

#![forbid(unsafe_code)]

use clap::{CommandFactory, Parser};
use memplan_driver::{Command, exit_code, parsed, run, with_llvm};
use std::{env, ffi::OsString, process::ExitCode};

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commit of the source, where the build's environment names it.
const COMMIT: Option<&str> = option_env!("MEMPLAN_COMMIT");

fn main() -> ExitCode {
    let given: Vec<OsString> = env::args_os().collect();
    // `@FILE` may stand for arguments that are read once.
    if with_llvm::runs(&given) {
        return exit_code(Err(with_llvm::become_it()));
    }
    let commit = COMMIT.filter(|commit| !commit.is_empty());
    match parsed::<Arguments>(given) {
        Ok(arguments) => exit_code(run(arguments.command, Arguments::command(), commit)),
        Err(code) => code,
    }
}
