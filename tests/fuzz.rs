//! Fuzzer: random programs, planned, deallocated or rewritten, must print the same as before: `cargo test --test
//! fuzz -- [N [SEED]] [--frees] [--batch N] [--config NAME] …`, `ci/fuzz`.
//!
//! Programs for the seeds SEED to SEED + N - 1 are generated ([`generate`](fuzz::generate)), a batch of them in one
//! module. Each module is executed unplanned, then planned in several configurations
//! ([`configurations`](fuzz::configurations)) with random options ([`settings`](fuzz::settings)) and executed
//! again. It must print the same, whatever memory contained before. Its heap must see no invalid free, no byte
//! written outside of an allocation, and no program that leaves more allocations than before. `memplan-verify` must
//! succeed, a second plan must change nothing, and the report must account for every allocation. The plan of every
//! tenth module is executed under valgrind too.
//!
//! With `--frees`, the same generator creates other programs ([`Aim`](fuzz::generate::Aim)).
//! `memplan-ownership-dealloc` deallocates them in several configurations ([`frees`](fuzz::frees)), with their own
//! deallocations or without: as they are, lowered to blocks, planned before or after. They must print the same,
//! nothing may be freed wrongly, and nothing may be left at the end, except where the pass says so. A second run
//! must change nothing. Programs that the pass refuses are counted by the reason.
//!
//! With `--regions`, the same programs go through `memplan-regions` first, with random options, and run with
//! regions that are filled when they are released; no region may be alive at the end. A fault that releases memory
//! where it is allocated, instead of after its last use, is found within 20 programs. A loop that swaps regions
//! although it passes on the one that it received is not found within 80: `lit/memplan-regions` tests that.
//!
//! With `--rewrites`, other programs (pads, concatenations, rows written in loops, copies that are read,
//! independent branches) go through passes that rewrite them ([`rewrites`](fuzz::rewrites)), with a plan afterwards
//! or without one. They must print the same; a second run must change nothing; and a plan afterwards must take no
//! more bytes than one alone, where the configuration says so.
//!
//! With `--chains`, programs are chains of operations on memrefs of static shape: convolutions, poolings, pads,
//! products of matrices, generic operations with random maps, views, parts that are written one by one; some are on
//! items of a number that is known only at run time. They run strip by strip
//! ([`rewrites::chains`](fuzz::rewrites::chains)), with random options, alone or in the whole pipeline, and must
//! print the same, bit for bit. At least a third of the programs must get strips.
//!
//! A failing program is reduced and written to `target/fuzz`, with the commands that show the failure. At the end a
//! table says how often each safety rule was exercised; from [`full`] programs on, no count may be zero.
//!
//! The fuzzer was evaluated with faults in the lifetimes and the plan, one at a time. Each of these is found within
//! so many programs, counted from seed 1:
//!
//! | fault | programs |
//! |---|---|
//! | back edges between blocks and regions are not followed | 20; by output alone 40 |
//! | results of an operation are what its first branch yields | 40 |
//! | carried arguments are the initial values of the loop | 20 |
//! | arguments of a block receive nothing from a branch's second successor | 20 |
//! | any write ends the older contents, of a part or of the whole | 20 |
//! | a live range with holes is its first part | 20 |
//! | a view is no alias | 20 |
//! | a select is its first operand | 20 |
//! | the result of a call is none of its arguments | 20 |
//! | an older instance does not keep its slot | 40 |
//! | a deallocation is removed although it may free memory that was not allocated here | 20 |
//! | `i1` takes a bit | 20 |
//! | arenas are freed on the first exit only | 160 |
//! | a buffer reuses one in place that is read in another order | 20 |
//! | a vector write ends the contents, even if masked or out of bounds | 480 |
//! | memory needed through one value is treated like memory needed through any | 400 |
//! | a hoisted arena lacks an iteration, or iterations overlap by half | 20 |
//! | two activations of a recursive function share a global | 480 |
//! | the arena of a callee is not live while it is called | 40 |
//! | a callee receives fewer bytes than it needs | 20 |
//! | a buffer moves to another memory space although a user needs its own | 60 |
//!
//! Two changes are no faults: a recursive function that takes its arena as an argument receives one for each call,
//! and joining two buffers that are each needed through one value is never tried.

mod fuzz {
    pub mod batch;
    pub mod check;
    pub mod configurations;
    pub mod execute;
    pub mod frees;
    pub mod generate;
    pub mod job;
    pub mod options;
    pub mod reduce;
    pub mod rewrites;
    pub mod rules;
    pub mod settings;
}

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use memplan_harness::tools::Tools;

use fuzz::batch::Batch;
use fuzz::execute::Machine;
use fuzz::generate::Aim;
use fuzz::job::Configurations;
use fuzz::options::Options;
use fuzz::rules::Tally;

/// The number of programs from which on every rule must be exercised.
fn full(aim: Aim) -> u64 {
    match aim {
        Aim::Merge => 300,
        Aim::Free => 200,
        Aim::Rewrite => 150,
        Aim::Split => 200,
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The results of all batches.
#[derive(Default)]
struct Results {
    tally: Tally,
    done: u64,
    failures: Vec<String>,
}

fn run() -> Result<bool> {
    let options = Options::parse();
    if options.list {
        println!("fuzz: test");
        return Ok(true);
    }
    let configurations = Configurations::of(&options)?;
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let machine = Machine::new(tools, folder.path(), options.regions)?;
    if !machine.has_valgrind() {
        println!("no valgrind: nothing is run under it");
    }
    let start = Instant::now();
    let is_over = || {
        let seconds = options.seconds.map(Duration::from_secs);
        seconds.is_some_and(|seconds| start.elapsed() >= seconds)
    };
    let batches = options.programs.div_ceil(options.batch);
    let next = AtomicU64::new(0);
    let results = Mutex::new(Results::default());
    thread::scope(|scope| {
        for _ in 0..options.jobs.get() {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let failed = results.lock().expect("no worker panics").failures.len();
                    if number >= batches || failed >= options.failures || is_over() {
                        return;
                    }
                    let batch = Batch::new(&machine, &options, &configurations, number);
                    let (tally, failure) = batch.check();
                    let failure = failure
                        .map(|(failure, job)| batch.explain(failure, job.as_ref(), &options));
                    let mut results = results.lock().expect("no worker panics");
                    results.tally.add(&tally);
                    results.done += batch.count;
                    if let Some(failure) = failure {
                        // Printed at once, so that it is not lost if the run is interrupted.
                        eprintln!("{failure}\n");
                        results.failures.push(failure);
                    }
                    progress(&results, &options);
                }
            });
        }
    });
    let results = results.into_inner().expect("no worker panics");
    let aim = configurations.aim();
    println!("{}", results.tally.table(aim));
    println!("{}", results.tally.summary(aim));
    for failure in &results.failures {
        println!("\n{failure}");
    }
    let mut good = results.failures.is_empty();
    let is_full = results.done >= full(aim) && !options.regions;
    if good && is_full && options.configuration.is_none() && options.with.is_none() {
        let missing = results.tally.missing(aim, &machine.declared);
        if !missing.is_empty() {
            println!("never came into play: {}", missing.join("; "));
            good = false;
        }
    }
    if is_over() && results.done < options.programs {
        println!(
            "{} programs were left out: the time is over",
            options.programs - results.done
        );
    }
    println!(
        "{} passed, {} failed",
        results.done - results.failures.len() as u64,
        results.failures.len()
    );
    Ok(good)
}

/// On a terminal, one line that is overwritten; else a line from time to time.
fn progress(results: &Results, options: &Options) {
    let Results { done, failures, .. } = results;
    let mut out = io::stderr();
    if out.is_terminal() {
        let _ = write!(
            out,
            "\r\x1b[K{done}/{} programs, {} failed",
            options.programs,
            failures.len()
        );
    } else if (done / options.batch).is_multiple_of(25) {
        let _ = writeln!(
            out,
            "{done}/{} programs, {} failed",
            options.programs,
            failures.len()
        );
    }
}
