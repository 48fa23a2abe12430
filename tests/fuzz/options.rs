//! The command line of the fuzzer.

use std::num::NonZeroUsize;

use clap::{Parser, value_parser};
use memplan_harness::arguments::{ignored, processors};

/// Plans random programs, or frees them, and compares what they print.
#[derive(Debug, Parser)]
#[command(name = "fuzz", arg = ignored(["include-ignored", "show-output"]))]
pub struct Options {
    /// How many programs
    #[arg(default_value_t = 300, value_parser = value_parser!(u64).range(1..))]
    pub programs: u64,
    /// The first one's seed; each next has the next number
    #[arg(default_value_t = 1)]
    pub seed: u64,
    /// Programs in one module; fewer by default with regions, which make modules several times as long
    #[arg(long, default_value_t = 20, default_value_if("regions", "true", "5"), value_parser = value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Only the configuration of this name
    #[arg(long = "config", value_name = "NAME", alias = "way")]
    pub configuration: Option<String>,
    /// These options of the pass, and not random ones
    #[arg(long)]
    pub with: Option<String>,
    /// Leave `memplan-verify` out: only what programs do can tell
    #[arg(long)]
    pub unverified: bool,
    /// Programs are freed, not planned
    #[arg(long, default_value_if("regions", "true", "true"))]
    pub frees: bool,
    /// The same, with what may go there in regions
    #[arg(long)]
    pub regions: bool,
    /// Programs are rewritten: what is copied is computed where it goes
    #[arg(long, conflicts_with = "frees")]
    pub rewrites: bool,
    /// Programs are chains of operations, which run strip by strip
    #[arg(long, conflicts_with_all = ["frees", "rewrites"])]
    pub chains: bool,
    /// No batch is begun after so many seconds
    #[arg(long)]
    pub seconds: Option<u64>,
    /// How many modules are checked at a time
    #[arg(short, long, alias = "test-threads", default_value_t = processors())]
    pub jobs: NonZeroUsize,
    /// Only list what there is, as cargo asks for
    #[arg(long)]
    pub list: bool,
    /// Stop at so many failures
    #[arg(long, default_value_t = 3)]
    pub failures: usize,
    /// The most programs that are tried to make one that fails smaller
    #[arg(long, default_value_t = 300)]
    pub tries: usize,
    /// The most seconds that this may take
    #[arg(long, default_value_t = 120)]
    pub reduce_seconds: u64,
}
