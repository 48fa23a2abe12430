//! What the command lines of all harnesses of ours have in common.

use clap::{Arg, ArgAction};
use std::num::NonZeroUsize;

/// How many processors there are.
pub fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// What `cargo test -- …` hands to all test executables, and is without effect on ours; with `more` such names.
pub fn ignored<const N: usize>(more: [&'static str; N]) -> Arg {
    Arg::new("ignored")
        .short('q')
        .long("quiet")
        .aliases(["nocapture", "no-capture"])
        .aliases(more)
        .action(ArgAction::Count)
        .hide(true)
}
