//! Deallocates the networks in `tests/models`: `cargo test --test freed -- [--all] [--table] [-j N] [NAME]...`
//!
//! `memplan-dealloc-pipeline` deallocates each network together with its driver: as it is, after CSE, lowered to
//! blocks, and in a batch loop, with and without blocks. Networks that take less than five seconds are executed on
//! a counting heap, at `-O0` where that is faster (`--all`, as in `ci/bench freed`: every one, at `-O2`). They
//! print, bit for bit, the same as without any deallocation; every allocation is freed; and at no time are more
//! bytes allocated than are needed later. The program without deallocations computes this load when it runs: each
//! operation reports the memory that it touches, and the load is the maximum of live bytes if each allocation ends
//! with its last touch. (An operation that only reads a shape touches the memref too, and a loop touches everything
//! that it uses from outside when it ends.) The small ones are also deallocated with `placement=block-end`, and
//! print the same.

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
