//! `memplan completions`: a script for a shell.

use crate::{files, help};
use anyhow::{Context, Result};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::{Shell, generate};

/// Print a script by which a shell completes subcommands, options and files; bash and zsh also topics of the help.
///
/// bash: memplan completions bash > ~/.local/share/bash-completion/completions/memplan
///
/// zsh: memplan completions zsh > FOLDER/_memplan, where FOLDER is in fpath before compinit runs
///
/// fish: memplan completions fish > ~/.config/fish/completions/memplan.fish
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

/// Runs the subcommand of a command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> Result<()> {
    let topics = help::names(&command).into_iter().map(|(name, title)| {
        // The scripts of some shells end a description at any of these.
        PossibleValue::new(name).help(title.replace(['`', '[', ']', ':', '\''], ""))
    });
    let topics = PossibleValuesParser::new(topics);
    let mut command = command.mut_subcommand("help", |help| {
        help.mut_arg("topic", |topic| topic.value_parser(topics))
    });
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "memplan", &mut script);
    files::print(&String::from_utf8(script).context("a script is text")?)
}
