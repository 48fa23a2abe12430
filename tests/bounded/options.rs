//! The command line of the test of bounded programs.

use clap::{Parser, value_parser};
use memplan_harness::arguments::ignored;

/// Puts bounded programs on one stack, and compares what they print.
#[derive(Debug, Parser)]
#[command(name = "bounded", arg = ignored(["include-ignored", "show-output"]))]
pub struct Options {
    /// How many programs by chance, beside the kernels
    #[arg(default_value_t = 40)]
    pub programs: u64,
    /// The first one's seed; each next has the next number
    #[arg(default_value_t = 1)]
    pub seed: u64,
    /// Programs in one module
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Print the figures of each configuration
    #[arg(long)]
    pub figures: bool,
    /// Only list what there is, as cargo asks for
    #[arg(long)]
    pub list: bool,
}
