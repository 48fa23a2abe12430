//! `memplan help`: of a subcommand, or a page of the manual.

use anyhow::{Context, Result, bail};
use memplan_manual::{
    book::{Part, find, parts, titles},
    html, terminal,
};
use memplan_report::columns::{Lean, aligned};
use std::{
    io::{self, ErrorKind, Write},
    path::PathBuf,
};

/// Print what a subcommand takes, or the manual's page of a pass; without a topic, say what there is.
#[derive(clap::Args)]
pub struct Arguments {
    /// A subcommand, a pass, a pipeline, the id of a diagnostic, or a chapter of the manual.
    topic: Option<String>,
    /// Write the whole manual as HTML into a folder, which is made.
    #[arg(long, value_name = "FOLDER", conflicts_with = "topic")]
    html: Option<PathBuf>,
    /// Write the part of the C and C++ headers that passes declare into a folder, which is made.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["topic", "html"])]
    headers: Option<PathBuf>,
}

/// Lines are as long as the terminal, up to what can be read.
const WIDTH: usize = 100;

/// Runs the subcommand of a command line.
pub fn run(arguments: &Arguments, mut command: clap::Command) -> Result<()> {
    if let Some(folder) = &arguments.html {
        let cannot = || format!("cannot write to {}", folder.display());
        return html::write(folder, &parts()).with_context(cannot);
    }
    if let Some(folder) = &arguments.headers {
        let cannot = || format!("cannot write to {}", folder.display());
        return memplan_headers::write(folder).with_context(cannot);
    }
    let Some(topic) = &arguments.topic else {
        let text = format!("{}\n{}", command.render_long_help(), topics());
        return print(&text);
    };
    if let Some(subcommand) = command.find_subcommand_mut(topic) {
        let name = format!("memplan {topic}");
        let mut subcommand = subcommand.clone().bin_name(name);
        return print(&subcommand.render_long_help().to_string());
    }
    match find(topic) {
        Some(page) => print(&terminal::text(&page.text, width())),
        None => bail!("no help on '{topic}'; `memplan help` lists what there is"),
    }
}

fn width() -> usize {
    let wide = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    wide.unwrap_or(WIDTH).clamp(40, WIDTH)
}

/// What pages there are.
fn topics() -> String {
    let mut text = String::new();
    for Part { title, pages, .. } in titles() {
        let rows: Vec<[String; 2]> = pages
            .into_iter()
            .map(|page| [format!("  {}", page.name), page.title])
            .collect();
        text.push_str(&format!("\n{title}:\n"));
        text.push_str(&aligned(&rows, &[Lean::Left, Lean::Left], &[]));
    }
    text
}

fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
