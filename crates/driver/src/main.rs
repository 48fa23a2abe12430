//! `memplan`: the subcommands that need no LLVM. For all others, the process becomes `memplan-llvm`, so that this one
//! starts where LLVM is missing.

#![forbid(unsafe_code)]

use anyhow::{Error, anyhow};
use clap::{CommandFactory, Parser};
use memplan_driver::{Command, WITH_LLVM, exit_code, parsed, run};
use std::{
    env,
    ffi::OsStr,
    os::unix::process::CommandExt,
    process::{self, ExitCode},
};

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commit of the source, where the build's environment names it.
const COMMIT: Option<&str> = option_env!("MEMPLAN_COMMIT");

fn main() -> ExitCode {
    let first = env::args_os().nth(1);
    if first.is_some_and(|first| is_here(&first)) {
        let commit = COMMIT.filter(|commit| !commit.is_empty());
        match parsed::<Arguments>(env::args_os().collect()) {
            Ok(arguments) => exit_code(run(arguments.command, commit)),
            Err(code) => code,
        }
    } else {
        exit_code(Err(become_with_llvm()))
    }
}

/// Does the first argument ask for something that needs no LLVM?
fn is_here(first: &OsStr) -> bool {
    let known = Arguments::command();
    first == "--version" || first == "-V" || known.find_subcommand(first).is_some()
}

/// Runs the same command line in the executable that needs LLVM. Returns only where it cannot be started.
fn become_with_llvm() -> Error {
    let program = match env::current_exe() {
        Ok(this) => this.with_file_name(WITH_LLVM),
        Err(error) => return Error::new(error).context("cannot determine the path of memplan"),
    };
    let mut arguments = env::args_os();
    let mut command = process::Command::new(&program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    let error = command.args(arguments).exec();
    anyhow!("cannot run {}: {error}", program.display())
}
