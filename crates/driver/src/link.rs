//! The arguments of `memplan link`. `memplan-llvm` runs it.

use std::path::PathBuf;

/// Join shards into the object that one run would have made.
#[derive(clap::Args)]
pub struct Arguments {
    /// All shards of one module, in any order.
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// Where the object goes; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write the plans of all functions as JSON; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}
