//! `memplan table`: prints the numbers of plans.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use memplan_report::{Report, peak, text, units};

use crate::files;

/// Print a table: allocations before and after, bytes naive, bound and planned, and what was
/// skipped.
#[derive(clap::Args)]
pub struct Arguments {
    /// Reports written by report=FILE; - is standard input.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// Recompute every number from the buffers; a contradiction is an error.
    #[arg(long)]
    check: bool,
    /// Instead, list the buffers that are live at the peak of each arena, the largest first.
    #[arg(long)]
    peak: bool,
    #[command(flatten)]
    shape: files::Dimensions,
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    for (at, path) in arguments.reports.iter().enumerate() {
        let report = arguments.shape.at(files::read_report(path)?, path)?;
        let name = files::name(path);
        let mut out = String::new();
        if arguments.reports.len() > 1 {
            let gap = if at == 0 { "" } else { "\n" };
            _ = writeln!(out, "{gap}{name}\n");
        }
        out.push_str(&match arguments.peak {
            true => peak::table(&report),
            false => text::table(&report),
        });
        files::print(&out)?;
        if arguments.check {
            report
                .check()
                .with_context(|| format!("{name} contradicts itself"))?;
            files::print(&format!("\nchecked {}\n", summary_of_check(&report)))?;
        }
    }
    Ok(())
}

fn summary_of_check(report: &Report) -> String {
    let scopes = || {
        report
            .functions
            .iter()
            .flat_map(|function| &function.scopes)
    };
    let buffers = scopes().map(|scope| scope.buffers.len()).sum();
    let scopes = units::counted(scopes().count(), "arena");
    format!(
        "{scopes} with {}: no overlap, all numbers agree",
        units::counted(buffers, "buffer")
    )
}
