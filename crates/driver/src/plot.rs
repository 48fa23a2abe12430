//! `memplan plot`: the picture of a plan.

use std::path::PathBuf;

use anyhow::{Result, bail};
use memplan_report::{FunctionReport, Report, svg};

use crate::files;

/// Draw a plan as SVG: time across, address up, a box for each live range, the peak marked.
///
/// All functions that have a plan are drawn below each other, a panel for each scope.
#[derive(clap::Args)]
pub struct Arguments {
    /// Report written by report=FILE; - is standard input.
    report: PathBuf,
    /// Where the picture goes; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "map.svg")]
    output: PathBuf,
    /// Only the function of this name.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Only the scope of this number, counted from 0 in each function.
    #[arg(long, value_name = "N")]
    scope: Option<usize>,
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let report = files::read_report(&arguments.report)?;
    let functions = chosen(&report, arguments)?;
    let options = svg::Options {
        scope: arguments.scope,
        ..svg::Options::default()
    };
    files::write(&arguments.output, &svg::map(functions, &options))
}

/// The functions to draw; none is an error that says what there is.
fn chosen<'a>(report: &'a Report, arguments: &Arguments) -> Result<Vec<&'a FunctionReport>> {
    let file = files::name(&arguments.report);
    let mut functions: Vec<&FunctionReport> = report.functions.iter().collect();
    if let Some(name) = &arguments.function {
        let bare = name.strip_prefix('@').unwrap_or(name);
        functions.retain(|function| function.name == bare);
        if functions.is_empty() {
            bail!("no function '{bare}' in {file}; {}", there_are(report));
        }
    }
    functions.retain(|function| !function.scopes.is_empty());
    if functions.is_empty() {
        match &arguments.function {
            Some(name) => bail!("nothing was planned in function '{name}' of {file}"),
            None => bail!("nothing was planned in {file}"),
        }
    }
    if let Some(scope) = arguments.scope {
        let most = functions
            .iter()
            .map(|function| function.scopes.len())
            .max()
            .unwrap_or(0);
        functions.retain(|function| scope < function.scopes.len());
        if functions.is_empty() {
            bail!("no scope {scope} in {file}; the last one is {}", most - 1);
        }
    }
    Ok(functions)
}

fn there_are(report: &Report) -> String {
    const SHOWN: usize = 8;
    let names: Vec<&str> = report.functions.iter().map(|f| f.name.as_str()).collect();
    match names.as_slice() {
        [] => "it has none".to_owned(),
        names if names.len() <= SHOWN => format!("it has {}", names.join(", ")),
        names => format!(
            "it has {} and {} more",
            names[..SHOWN].join(", "),
            names.len() - SHOWN
        ),
    }
}
