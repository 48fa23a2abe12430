//! `memplan explain`: what other options would give.

use crate::files;
use anyhow::Result;
use memplan_report::explain;
use std::path::PathBuf;

/// Print what other options of memplan would give, and which buffers are live at the peak.
///
/// The report is one of memplan{explain=true report=FILE}: for each function, the options that would lower its bytes, the best
/// first, those that lower them already, and the largest buffers at the peak.
#[derive(clap::Args)]
pub struct Arguments {
    /// A report; - is standard input.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    shape: files::Dimensions,
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let report = files::read_report(&arguments.report)?;
    let report = arguments.shape.at(report, &arguments.report)?;
    files::print(&explain::text(&report))
}
