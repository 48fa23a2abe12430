//! The command line of the harness.

use std::num::NonZeroUsize;

use clap::Parser;

use crate::arguments::{ignored, processors};

/// Runs FileCheck tests.
#[derive(Debug, Parser)]
#[command(name = "lit", arg = ignored(["include-ignored"]))]
pub struct Options {
    /// A test runs where its path holds one of these; all run where there are none
    pub filters: Vec<String>,
    /// Show every test
    #[arg(short, long, alias = "show-output")]
    pub verbose: bool,
    /// Only list the tests
    #[arg(long)]
    pub list: bool,
    /// As if the machine had no such thing: tests that require it are skipped
    #[arg(long, value_name = "FEATURE")]
    pub without: Vec<String>,
    /// How many tests run at a time
    #[arg(short, long, alias = "test-threads", default_value_t = processors())]
    pub jobs: NonZeroUsize,
}

impl Options {
    /// Whether the filters select the test with this path.
    pub fn selects(&self, path: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| path.contains(filter))
    }
}
