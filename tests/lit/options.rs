//! The command line of the harness.

use std::thread;

use anyhow::{Context, Result, bail};

/// What to run and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// A test runs where its path holds one of these; all run where there are none.
    pub filters: Vec<String>,
    /// Show every test.
    pub verbose: bool,
    /// Only list the tests.
    pub list: bool,
    /// How many tests run at a time.
    pub jobs: usize,
}

impl Options {
    /// Reads the arguments. What `cargo test -- …` hands to all test executables is understood or without effect.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            filters: Vec::new(),
            verbose: false,
            list: false,
            jobs: thread::available_parallelism().map_or(1, usize::from),
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-v" | "--verbose" | "--show-output" => options.verbose = true,
                "--list" => options.list = true,
                "-j" | "--test-threads" => {
                    options.jobs = number(&arguments.next().unwrap_or_default())?;
                }
                "-q" | "--quiet" | "--nocapture" | "--no-capture" | "--include-ignored" => {}
                other if other.starts_with("--test-threads=") => {
                    options.jobs = number(&other["--test-threads=".len()..])?;
                }
                other if other.starts_with('-') => {
                    bail!("{other} is unknown; there are -v, --list, -j N and parts of paths")
                }
                filter => options.filters.push(filter.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether the test of this path is asked for.
    pub fn selects(&self, path: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| path.contains(filter))
    }
}

fn number(text: &str) -> Result<usize> {
    text.parse()
        .with_context(|| format!("the number of jobs is `{text}`"))
}
