//! Plans the networks in `tests/models` end to end: `cargo test --test networks -- [--all] [--table] [-j N] [NAME]...`
//!
//! Each is planned as it comes and after upstream's deallocation, verified, and deallocated by upstream after planning;
//! it goes through the whole job, `memplan`; and it is planned after CSE, lowered to blocks, and with a batch loop around
//! it. The reports have to account for every allocation, and the plans to be at their lower bounds. Those that take less
//! than five seconds are executed in `mlir-runner` before and after, in all these forms, with arenas in globals, and
//! rewritten by each pass that does so and by all, and have to print what is expected; the small ones run under valgrind,
//! too, without an invalid access and without a leak but the driver's, and make one allocation a call besides what they
//! return. Forms that come out as the same program are executed once.
//!
//! `--all`, as in `ci/bench plans`, executes every network in every form, at `-O2`. Without it, what takes longer to
//! be optimized than to run is executed at `-O0`, and what has run under valgrind (at `-O2`) does not run a second
//! time.

mod networks {
    pub mod check;
    pub mod execution;
    pub mod forms;
    pub mod table;
    pub mod variants;
}

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use memplan_harness::networks::Network;
use memplan_harness::networks::checks::check_all;
use memplan_harness::networks::options::Options;
use memplan_harness::tools::Tools;

use networks::check::check;
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
    let options = Options::of("networks");
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
    let results = check_all(&networks, options.jobs.get(), |network| {
        check(network, &tools, options.all)
    });
    let mut out = io::stdout();
    if options.table {
        table(&results, &mut out)?;
    }
    Ok(summarize(&results, &mut out)?)
}
