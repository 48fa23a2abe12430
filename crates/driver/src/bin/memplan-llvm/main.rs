//! The subcommands of `memplan` that need LLVM: `compile` makes an object of a module, and `link` of its shards; `header`
//! declares functions in C; `help` prints pages of the manual. `memplan` becomes this executable for them. [`memplan_driver`] has the exit codes.

#![forbid(unsafe_code)]

mod compile;
mod header;
mod help;
mod link;
mod loaded;

use std::{env, ffi::OsString, process::ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use memplan_driver::{BAD, LOADED_LLVM, exit_code, files, parsed};

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    WithoutLlvm(memplan_driver::Command),
    Compile(Box<compile::Arguments>),
    Link(link::Arguments),
    Header(header::Arguments),
    Help(help::Arguments),
    /// For `memplan version --bug-report`.
    #[command(name = LOADED_LLVM, hide = true)]
    LoadedLlvm,
}

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
            files::say(&format!(
                "memplan: error: cannot read arguments from a file: {error}"
            ));
            std::process::exit(i32::from(BAD));
        }
    }
}

fn main() -> ExitCode {
    let arguments = match parsed::<Arguments>(expanded()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    exit_code(match arguments.command {
        Command::WithoutLlvm(command) => memplan_driver::run(command, None),
        Command::Compile(arguments) => compile::run(&arguments),
        Command::Link(arguments) => link::run(&arguments).map(|()| true),
        Command::Header(arguments) => header::run(&arguments).map(|()| true),
        Command::Help(arguments) => help::run(&arguments, Arguments::command()).map(|()| true),
        Command::LoadedLlvm => loaded::print().map(|()| true),
    })
}
