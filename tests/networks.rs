//! Plans the networks in `tests/models` end to end: `cargo test --test networks -- [--all] [--table] [-j N] [NAME]...`
//!
//! Each is planned as it comes and after upstream's deallocation, verified, and deallocated by upstream after planning;
//! and after CSE, lowered to blocks, and with a batch loop around it. The reports have to account for every allocation,
//! and the plans to be at their lower bounds. Those that take less than five seconds (`--all`: every one) are executed
//! in `mlir-runner` before and after, in all these forms and with arenas in globals, and have to print what is expected;
//! the small ones also run under valgrind, without an invalid access and without a leak but the driver's.

mod common;

mod networks {
    pub mod batch;
    pub mod check;
    pub mod execution;
    pub mod forms;
    pub mod options;
    pub mod table;
    pub mod variants;
}

use std::env;
use std::io;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;

use common::networks::Network;
use common::progress::progress;
use common::tools::Tools;
use networks::check::{Findings, check};
use networks::options::Options;
use networks::table::{summarize, table};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("networks: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let options = Options::parse(env::args().skip(1))?;
    let mut networks = Network::all()?;
    networks.retain(|network| options.selects(&network.name));
    if options.list {
        for network in networks {
            println!("{}: test", network.name);
        }
        return Ok(true);
    }
    let tools = Tools::find()?;
    if tools.valgrind.is_none() {
        println!("no valgrind: nothing is run under it");
    }
    let results = check_all(&networks, &tools, &options);
    let mut out = io::stdout();
    if options.table {
        table(&results, &mut out)?;
    }
    Ok(summarize(&results, &mut out)?)
}

/// As many at a time as asked for; the results are in the order of the networks.
fn check_all(networks: &[Network], tools: &Tools, options: &Options) -> Vec<Findings> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(networks.len()));
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(network) = networks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let findings = check(network, tools, options.all);
                    let mut results = results.lock().expect("no worker panics");
                    results.push(findings);
                    progress(&network.name, results.len(), networks.len());
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by(|a, b| a.name.cmp(&b.name));
    results
}
