//! Common parts of the command lines of the test harnesses.

use clap::{Arg, ArgAction};
use std::num::NonZeroUsize;

/// The number of processors.
pub fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The arguments that `cargo test -- …` passes to all test executables and that these harnesses
/// ignore, plus the names in `more`.
pub fn ignored<const N: usize>(more: [&'static str; N]) -> Arg {
    Arg::new("ignored")
        .short('q')
        .long("quiet")
        .aliases(["nocapture", "no-capture"])
        .aliases(more)
        .action(ArgAction::Count)
        .hide(true)
}
