//! Random programs, planned and unplanned, or freed, or rewritten: `cargo test --test fuzz -- [N [SEED]] [--frees] [--batch N] [--way NAME] …`,
//! `ci/fuzz`.
//!
//! Programs of the seeds SEED to SEED + N - 1 are made ([`generate`](fuzz::generate)), a batch of them to a module. Each
//! module is executed as it is, then planned in several ways ([`ways`](fuzz::ways)) with random options
//! ([`settings`](fuzz::settings)) and executed again. It has to print the same, whatever memory held before; the heap that
//! it runs on must see no wrong free, no byte written outside of an allocation, and no program that leaves more than before; `memplan-verify` must
//! hold; planning again must change nothing; and the report must tell of every allocation. The plan of every tenth module
//! is executed under valgrind too.
//!
//! With `--frees`, other programs are made by the same generator ([`Aim`](fuzz::generate::Aim)), and freed in several ways
//! ([`frees`](fuzz::frees)) by `memplan-ownership-dealloc`, their own deallocations left in or out: as they are, lowered to
//! blocks, planned before or behind. They have to print the same, nothing may be freed wrongly, and nothing may be left at the
//! end, but where the pass says so; a second run must change nothing. Programs that it refuses are counted by the reason.
//!
//! With `--regions`, the same programs go through `memplan-regions` first, with random options, and run with regions that are
//! filled when they go; no region may be alive at the end.
//! Memory that is given back where it is made, and not behind its last use, is found within 20 programs; a loop that swaps
//! regions although it hands on what it got is not found within 80: `lit/memplan-regions` has that.
//!
//! With `--rewrites`, other programs again (pads, concatenations, rows of loops, copies that are read, branches side by
//! side) go through passes that rewrite them in front of a plan ([`rewrites`](fuzz::rewrites)), with a plan behind or without
//! one. They have to print the same; a second run must change nothing; and a plan behind must take no more bytes than one
//! alone, where the pass says so.
//!
//! A program that fails is reduced and written to `target/fuzz`, with the commands that show the failure. At the end a
//! table says how often each rule of safety came into play; from [`full`] programs on, none may be zero.
//!
//! What it finds was measured with faults put into the lifetimes and the plan, one at a time. Each of these is found within
//! so many programs, counted from seed 1:
//!
//! | fault | programs |
//! |---|---|
//! | back edges between blocks and regions are not followed | 20; by output alone 40 |
//! | results of an operation are what its first branch yields | 40 |
//! | carried arguments are what the loop starts with | 20 |
//! | arguments of a block get nothing from a branch's second successor | 20 |
//! | any write ends the older contents, of a part or of the whole | 20 |
//! | a live range with holes is its first part | 20 |
//! | a view is no alias | 20 |
//! | a select is its first operand | 20 |
//! | the result of a call is none of its arguments | 20 |
//! | an older instance does not keep its slot | 40 |
//! | a deallocation goes although it may free what was not allocated here | 20 |
//! | `i1` takes a bit | 20 |
//! | arenas are freed on the first exit only | 160 |
//! | a buffer takes over from one that is read in another order | 20 |
//! | a write of a vector ends the contents, masked or wherever it goes | 480 |
//! | what is needed through one value is one with what is needed in any way | 400 |
//! | a hoisted arena lacks a turn, or turns overlap by half | 20 |
//! | two runs of a recursive function share a global | 480 |
//! | the arena of a callee is not live while it is called | 40 |
//! | a callee gets fewer bytes than it needs | 20 |
//! | a buffer moves to another space although a user wants its own | 60 |
//!
//! Two faults are none: a recursive function that takes its arena as an argument gets one for each call, and two buffers
//! that are needed through two values each alone are never tried to be joined.

mod fuzz {
    pub mod batch;
    pub mod check;
    pub mod execute;
    pub mod frees;
    pub mod generate;
    pub mod job;
    pub mod options;
    pub mod reduce;
    pub mod rewrites;
    pub mod rules;
    pub mod settings;
    pub mod ways;
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
use fuzz::job::Ways;
use fuzz::options::Options;
use fuzz::rules::Tally;

/// From so many programs on, no rule may be left out.
fn full(aim: Aim) -> u64 {
    match aim {
        Aim::Merge => 300,
        Aim::Free => 200,
        Aim::Rewrite => 150,
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

/// What all batches came to.
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
    let ways = Ways::of(&options)?;
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
                    let batch = Batch::new(&machine, &options, &ways, number);
                    let (tally, failure) = batch.check();
                    let failure = failure
                        .map(|(failure, job)| batch.explain(failure, job.as_ref(), &options));
                    let mut results = results.lock().expect("no worker panics");
                    results.tally.add(&tally);
                    results.done += batch.count;
                    if let Some(failure) = failure {
                        // At once: whoever ends the run has it.
                        eprintln!("{failure}\n");
                        results.failures.push(failure);
                    }
                    progress(&results, &options);
                }
            });
        }
    });
    let results = results.into_inner().expect("no worker panics");
    let aim = ways.aim();
    println!("{}", results.tally.table(aim));
    println!("{}", results.tally.summary(aim));
    for failure in &results.failures {
        println!("\n{failure}");
    }
    let mut good = results.failures.is_empty();
    let is_full = results.done >= full(aim) && !options.regions;
    if good && is_full && options.way.is_none() && options.with.is_none() {
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

/// One line that is written over, on a terminal; else one from time to time.
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
