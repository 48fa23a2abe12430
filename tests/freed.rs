//! Frees what the networks in `tests/models` allocate: `cargo test --test freed -- [--all] [--table] [-j N] [NAME]...`
//!
//! Each is freed by `memplan-dealloc-pipeline`, together with its driver: as it comes, after CSE, lowered to blocks,
//! and in a batch loop, with and without blocks. Those that take less than five seconds are executed on a heap that
//! counts, at `-O0` where that is faster (`--all`, as in `ci/bench freed`: every one, at `-O2`). They print, bit for
//! bit, what they print without any free; all that is allocated is freed; and at no moment is more held than what is
//! needed later on, which the program without frees says itself when it runs: each operation tells the heap what it
//! touches, and the load is what is held at most if each allocation ends with its last touch. (An operation that reads
//! a shape only touches, too, and what a loop uses from outside is touched when it ends.) The small ones are freed with
//! `placement=block-end`, too, and print the same.

mod freed {
    pub mod check;
    pub mod run;
    pub mod table;
    pub mod trace;
}

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use memplan_harness::networks::Network;
use memplan_harness::networks::checks::check_all;
use memplan_harness::networks::options::Options;
use memplan_harness::tools::Tools;

use freed::check::check;
use freed::run::heap;
use freed::table::{summarize, table};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("freed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let options = Options::of("freed");
    let mut networks = Network::all()?;
    // Without a driver there is nothing to execute.
    networks.retain(|network| {
        options.selects(&network.name)
            && network.expected.is_some()
            && (options.all || network.is_quick())
    });
    if options.list {
        for network in networks {
            println!("{}: test", network.name);
        }
        return Ok(true);
    }
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let heap = heap(folder.path())?;
    let results = check_all(&networks, options.jobs.get(), |network| {
        check(network, &tools, &heap, &options)
    });
    let mut out = io::stdout();
    if options.table {
        table(&results, &mut out)?;
    }
    Ok(summarize(&results, &mut out)?)
}
