//! The command line of the end-to-end tests of networks.

use std::num::NonZeroUsize;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::arguments::{ignored, processors};

/// Plans or frees networks, and compares what they compute.
#[derive(Debug, Parser)]
#[command(arg = ignored([]))]
pub struct Options {
    /// A network takes part where its name holds one of these; all do where there are none
    pub filters: Vec<String>,
    /// Execute those that take long as well
    #[arg(long, alias = "include-ignored")]
    pub all: bool,
    /// Print the table
    #[arg(short = 'v', long, alias = "show-output")]
    pub table: bool,
    /// Only list the networks
    #[arg(long)]
    pub list: bool,
    /// How many networks run at a time
    #[arg(short, long, alias = "test-threads", default_value_t = processors())]
    pub jobs: NonZeroUsize,
}

impl Options {
    /// Parses the command line of the test with this name. Exits the process on an error.
    pub fn of(test: &'static str) -> Self {
        let given = Self::command().name(test).bin_name(test).get_matches();
        Self::from_arg_matches(&given).unwrap_or_else(|error| error.exit())
    }

    /// Whether the filters select the network of this name.
    pub fn selects(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}
