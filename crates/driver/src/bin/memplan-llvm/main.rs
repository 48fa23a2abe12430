//! The subcommands of `memplan` that need LLVM: `compile` makes an object of a module, and `link` of its shards; `header`
//! declares functions in C. `memplan` becomes this executable for them, and `memplan-opt` with the first argument `opt`. `memplan`
//! also runs it for what `memplan version` and `memplan help operations` print of LLVM. [`memplan_driver`] has the exit codes.

#![forbid(unsafe_code)]

mod compile;
mod header;
mod link;
mod loaded;
mod opt;

use std::{env, ffi::OsString, process::ExitCode};

use clap::{Parser, Subcommand};
use memplan_driver::{
    BAD, exit_code, files, parsed,
    with_llvm::{LOADED_LLVM, OPERATIONS, OPT},
};

/// Memory planning: place buffers, and look at plans.
#[derive(Parser)]
#[command(name = "memplan", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Compile(Box<memplan_driver::compile::Arguments>),
    Link(memplan_driver::link::Arguments),
    Header(memplan_driver::header::Arguments),
    /// For `memplan version --bug-report`.
    #[command(name = LOADED_LLVM, hide = true)]
    LoadedLlvm,
    /// For `memplan help operations`.
    #[command(name = OPERATIONS, hide = true)]
    Operations,
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
    if env::args_os().nth(1).is_some_and(|first| first == OPT) {
        return opt::run();
    }
    let arguments = match parsed::<Arguments>(expanded()) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    exit_code(match arguments.command {
        Command::Compile(arguments) => compile::run(&arguments),
        Command::Link(arguments) => link::run(&arguments).map(|()| true),
        Command::Header(arguments) => header::run(&arguments).map(|()| true),
        Command::LoadedLlvm => loaded::print().map(|()| true),
        Command::Operations => files::print(&memplan_operations::tables()).map(|()| true),
    })
}
