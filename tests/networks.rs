//! Plans the networks in `tests/models` end to end: `cargo test --test networks -- [--all] [--table] [-j N]
//! [NAME]...`
//!
//! Each network is planned as it is and after upstream's deallocation, verified, and deallocated by upstream after
//! planning. It goes through the whole pipeline, `memplan`. It is planned after CSE, lowered to blocks, and in a
//! batch loop. The reports must account for every allocation, and the plans must be at their lower bounds. Networks
//! that take less than five seconds are executed in `mlir-runner` before and after, in all these forms, with arenas
//! in globals, and rewritten by each rewriting pass and by all. They must print the expected output. The small ones
//! also run under valgrind, without an invalid access and without a leak other than the driver's, and allocate once
//! for each call, apart from results. With results as arguments, nothing is copied to these. Forms that result in the same program are executed once.
//!
//! `--all`, as in `ci/bench plans`, executes every network in every form, at `-O2`. Without it, networks that take
//! longer to optimize than to run are executed at `-O0`, and those that ran under valgrind (at `-O2`) are not
//! executed again.

mod networks {
    pub mod check;
    pub mod execution;
    pub mod forms;
    pub mod out_params;
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
