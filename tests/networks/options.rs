//! The command line of the end-to-end test.

use std::thread;

use anyhow::{Context, Result, bail};

/// What to run and how.
#[derive(Debug)]
pub struct Options {
    /// A network takes part where its name holds one of these; all do where there are none.
    pub filters: Vec<String>,
    /// Execute those that take long as well.
    pub all: bool,
    /// Print the table.
    pub table: bool,
    /// Only list the networks.
    pub list: bool,
    /// How many networks run at a time.
    pub jobs: usize,
}

impl Options {
    /// Reads the arguments. What `cargo test -- …` hands to all test executables is understood or without effect.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            filters: Vec::new(),
            all: false,
            table: false,
            list: false,
            jobs: thread::available_parallelism().map_or(1, usize::from),
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--all" | "--include-ignored" => options.all = true,
                "-v" | "--table" | "--show-output" => options.table = true,
                "--list" => options.list = true,
                "-j" | "--test-threads" => {
                    let jobs = arguments.next().unwrap_or_default();
                    options.jobs = jobs
                        .parse()
                        .with_context(|| format!("{argument} `{jobs}`"))?;
                }
                "-q" | "--quiet" | "--nocapture" | "--no-capture" => {}
                other if other.starts_with('-') => {
                    bail!(
                        "{other} is unknown; there are --all, --table, --list, -j N and parts of names"
                    )
                }
                filter => options.filters.push(filter.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether the network of this name is asked for.
    pub fn selects(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}
