//! `memplan help`: of a subcommand, or a page of the manual.

use crate::{
    files, man_pages,
    with_llvm::{self, OPERATIONS},
};
use anyhow::{Context, Result, bail};
use memplan_manual::{
    book::{Entry, Part, find, nearest, parts, titles},
    html, operations,
    page::Page,
    terminal::{self, Look},
};
use std::{
    env,
    io::{self, IsTerminal},
    path::PathBuf,
};

/// Print the help of a subcommand or a page of the manual; without a topic, list the topics.
#[derive(clap::Args)]
pub struct Arguments {
    /// A subcommand, a pass, a pipeline, the id of a diagnostic, a chapter, or a name in any output: a reason, a column,
    /// a field of the report, a planner, an attribute.
    topic: Vec<String>,
    /// Write the whole manual as HTML into a folder, which is created.
    #[arg(long, value_name = "FOLDER", conflicts_with = "topic")]
    html: Option<PathBuf>,
    /// Write the part of the C and C++ headers that passes declare into a folder, which is created.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["topic", "html"])]
    headers: Option<PathBuf>,
    /// Write man pages into a folder, which is created.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["topic", "html", "headers"])]
    man: Option<PathBuf>,
}

/// The columns of a terminal whose width is not known, and of the files.
const WIDTH: usize = 80;
/// Narrower terminals break lines themselves.
const NARROWEST: usize = 20;

/// Runs the subcommand of a command line.
pub fn run(arguments: &Arguments, command: clap::Command) -> Result<()> {
    if let Some(folder) = &arguments.html {
        let cannot = || format!("cannot write to {}", folder.display());
        let mut tables = Tables::default();
        let parts = parts(pages(&command), &tables.compute());
        html::write(folder, &parts).with_context(cannot)?;
        return tables.check();
    }
    if let Some(folder) = &arguments.headers {
        let cannot = || format!("cannot write to {}", folder.display());
        return memplan_headers::write(folder).with_context(cannot);
    }
    if let Some(folder) = &arguments.man {
        let cannot = || format!("cannot write to {}", folder.display());
        return man_pages::write(folder, &command).with_context(cannot);
    }
    let look = look();
    let command = command.term_width(look.width);
    let topic = arguments.topic.join(" ");
    if topic.is_empty() {
        let text = format!(
            "{}\n{}",
            help_of(command.clone(), look),
            topics(&command, look)
        );
        return files::print(&text);
    }
    if let Some(subcommand) = command.find_subcommand(&topic) {
        let name = format!("memplan {topic}");
        let subcommand = subcommand.clone().bin_name(name).term_width(look.width);
        return files::print(&help_of(subcommand, look));
    }
    let mut tables = Tables::default();
    match find(&topic, pages(&command), || tables.compute()) {
        Some(page) => {
            files::print(&terminal::rendered(&page.text, look))?;
            tables.check()
        }
        None => match nearest(&topic, pages(&command)).as_slice() {
            [] => bail!("unknown topic: {topic}; `memplan help` lists the topics"),
            near => bail!("unknown topic: {topic}; the nearest: {}", near.join(", ")),
        },
    }
}

/// The tables of the page of operations, which MLIR computes.
#[derive(Default)]
struct Tables {
    /// Why they are missing.
    missing: Option<String>,
}

impl Tables {
    /// The tables, or a line that says that they are missing.
    fn compute(&mut self) -> String {
        with_llvm::output(OPERATIONS).unwrap_or_else(|reason| {
            self.missing = Some(reason);
            operations::NO_TABLES.to_owned()
        })
    }

    /// An error if tables are missing; the rest is then printed.
    fn check(self) -> Result<()> {
        match self.missing {
            Some(reason) => bail!("the tables of the page operations are missing: {reason}"),
            None => Ok(()),
        }
    }
}

/// Where the help goes: COLUMNS wins over the size of the terminal. NO_COLOR is that of <https://no-color.org>.
fn look() -> Look {
    let columns = env::var("COLUMNS").ok();
    let columns = columns
        .and_then(|columns| columns.parse().ok())
        .filter(|columns| *columns > 0);
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let is_plain = |name: &str, plain: fn(&str) -> bool| {
        let value = env::var(name).unwrap_or_default();
        plain(&value)
    };
    let refuses = is_plain("NO_COLOR", |value| !value.is_empty())
        || is_plain("TERM", |value| value == "dumb");
    Look {
        width: columns.or_else(measured).unwrap_or(WIDTH).max(NARROWEST),
        is_styled: io::stdout().is_terminal() && !refuses,
    }
}

/// The help of a command.
fn help_of(mut command: clap::Command, look: Look) -> String {
    let help = command.render_long_help();
    match look.is_styled {
        true => help.ansi().to_string(),
        false => help.to_string(),
    }
}

/// A page for each subcommand.
fn pages(command: &clap::Command) -> Vec<Page> {
    let subcommands = command.get_subcommands().map(|subcommand| {
        let name = subcommand.get_name();
        let title = subcommand.get_about().map(ToString::to_string);
        let plain = Look {
            width: WIDTH,
            is_styled: false,
        };
        let full = subcommand
            .clone()
            .bin_name(format!("memplan {name}"))
            .term_width(WIDTH);
        Page {
            name: name.to_owned(),
            title: title.unwrap_or_default(),
            text: format!(
                "# memplan {name}\n\n```text\n{}\n```\n",
                help_of(full, plain).trim_end()
            ),
        }
    });
    subcommands.collect()
}

/// The name and title of each page.
pub fn names(command: &clap::Command) -> Vec<(String, String)> {
    let parts = titles(pages(command));
    let pages = parts.iter().flat_map(Part::all);
    pages
        .map(|page| (page.name.clone(), page.title.clone()))
        .collect()
}

/// The topics by the parts of the manual. The many names in lists are topics that are not listed here.
fn topics(command: &clap::Command, look: Look) -> String {
    let mut text = String::from("Topics of `memplan help TOPIC`:\n");
    for Part { title, entries } in titles(pages(command)) {
        let rows = entries.into_iter().map(|Entry { page, leaves }| {
            let about = match leaves.is_empty() {
                true => page.title,
                false => format!("{}; each is a topic", page.title),
            };
            [page.name, about.replace('`', "")]
        });
        let rows: Vec<[String; 2]> = rows.collect();
        text.push_str(&format!("\n{}\n", look.bold(&format!("{title}:"))));
        text.push_str(&terminal::pairs(&rows, look));
    }
    text
}
