//! The command line of the fuzzer.

use std::thread;

use anyhow::{Context, Result, bail};

/// What to run and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many programs.
    pub programs: u64,
    /// The first one's seed; each next has the next number.
    pub seed: u64,
    /// Programs in one module.
    pub batch: u64,
    /// Only the way of this name.
    pub way: Option<String>,
    /// These options of the pass, and not random ones.
    pub with: Option<String>,
    /// Leave `memplan-verify` out: only what programs do can tell.
    pub unverified: bool,
    /// Programs are freed, not planned.
    pub frees: bool,
    /// The same, with what may go there in regions.
    pub regions: bool,
    /// No batch is begun after so many seconds.
    pub seconds: Option<u64>,
    /// How many modules are checked at a time.
    pub jobs: usize,
    /// Only list what there is, as cargo asks for.
    pub list: bool,
    /// Stop at so many failures.
    pub failures: usize,
    /// The most programs that are tried to make one that fails smaller.
    pub tries: usize,
    /// The most seconds that this may take.
    pub reduce_seconds: u64,
}

/// What is said of a wrong command line.
pub const USAGE: &str = "[N [SEED]] [--batch N] [--way NAME] [--with 'OPTION=VALUE …'] [--unverified] [--frees] [--regions] [--failures N] [--tries N] \
     [--reduce-seconds N] [--seconds N] [-j N]";

impl Options {
    /// Reads the arguments. What `cargo test -- …` hands to all test executables is understood or without effect.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            programs: 300,
            seed: 1,
            batch: 20,
            way: None,
            with: None,
            unverified: false,
            jobs: thread::available_parallelism().map_or(1, usize::from),
            list: false,
            failures: 3,
            frees: false,
            regions: false,
            seconds: None,
            tries: 300,
            reduce_seconds: 120,
        };
        let mut arguments = arguments.into_iter();
        let mut place = 0;
        while let Some(argument) = arguments.next() {
            let mut next = || {
                arguments
                    .next()
                    .with_context(|| format!("{argument} takes a value; usage: {USAGE}"))
            };
            match argument.as_str() {
                "--batch" => options.batch = number(&next()?)?.max(1),
                "--way" => options.way = Some(next()?),
                "--with" => options.with = Some(next()?),
                "--failures" => options.failures = number(&next()?)?.max(1) as usize,
                "--tries" => options.tries = number(&next()?)? as usize,
                "-j" | "--test-threads" => options.jobs = number(&next()?)?.max(1) as usize,
                "--reduce-seconds" => options.reduce_seconds = number(&next()?)?,
                "--seconds" => options.seconds = Some(number(&next()?)?),
                "--frees" => options.frees = true,
                "--regions" => (options.frees, options.regions) = (true, true),
                "--unverified" => options.unverified = true,
                "--list" => options.list = true,
                "-q" | "--quiet" | "--nocapture" | "--no-capture" | "--include-ignored"
                | "--show-output" => {}
                other if other.starts_with('-') => bail!("{other} is unknown; usage: {USAGE}"),
                other => {
                    match place {
                        0 => options.programs = number(other)?.max(1),
                        1 => options.seed = number(other)?,
                        _ => bail!("{other} is too much; usage: {USAGE}"),
                    }
                    place += 1;
                }
            }
        }
        Ok(options)
    }
}

fn number(text: &str) -> Result<u64> {
    text.parse()
        .with_context(|| format!("`{text}` is no number; usage: {USAGE}"))
}
