//! Random programs, planned and unplanned: `cargo test --test fuzz -- [N [SEED]] [--batch N] [--way NAME] …`, `ci/fuzz`.
//!
//! Programs of the seeds SEED to SEED + N - 1 are made ([`generate`](fuzz::generate)), a batch of them to a module. Each
//! module is executed as it is, then planned in several ways ([`ways`](fuzz::ways)) with random options
//! ([`settings`](fuzz::settings)) and executed again. It has to print the same, whatever memory held before; the heap that
//! it runs on must see no wrong free, no byte written outside of an allocation, and no program that leaves more than before; `memplan-verify` must
//! hold; planning again must change nothing; and the report must tell of every allocation. The plan of every tenth module
//! is executed under valgrind too.
//!
//! A program that fails is reduced and written to `target/fuzz`, with the commands that show the failure. At the end a
//! table says how often each rule of safety came into play; from [`FULL`] programs on, none may be zero.
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

mod common;

mod fuzz {
    pub mod check;
    pub mod execute;
    pub mod generate;
    pub mod options;
    pub mod reduce;
    pub mod rules;
    pub mod settings;
    pub mod ways;
}

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};

use common::tools::Tools;
use fuzz::check::{Failure, Kind, Run, Unplanned};
use fuzz::execute::Machine;
use fuzz::generate::choices::Choices;
use fuzz::generate::{Program, module};
use fuzz::options::Options;
use fuzz::reduce::reduce;
use fuzz::rules::Tally;
use fuzz::ways::{ALWAYS, IN_TURN, Way, all};

/// From so many programs on, no rule may be left out.
const FULL: u64 = 300;

/// Every so many batches one is executed under valgrind.
const VALGRIND: u64 = 10;

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
    let options = Options::parse(env::args().skip(1))?;
    if options.list {
        println!("fuzz: test");
        return Ok(true);
    }
    let ways = ways(&options)?;
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let machine = Machine::new(tools, folder.path())?;
    if !machine.has_valgrind() {
        println!("no valgrind: nothing is run under it");
    }
    let batches = options.programs.div_ceil(options.batch);
    let next = AtomicU64::new(0);
    let results = Mutex::new(Results::default());
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let failed = results.lock().expect("no worker panics").failures.len();
                    if number >= batches || failed >= options.failures {
                        return;
                    }
                    let batch = Batch::new(&machine, &options, &ways, number);
                    let (tally, failure) = batch.check();
                    let failure = failure
                        .map(|(failure, run)| batch.explain(failure, run.as_ref(), options.tries));
                    let mut results = results.lock().expect("no worker panics");
                    results.tally.add(&tally);
                    results.done += batch.count;
                    results.failures.extend(failure);
                    progress(&results, &options);
                }
            });
        }
    });
    let results = results.into_inner().expect("no worker panics");
    println!("{}", results.tally.table());
    println!("{}", results.tally.summary());
    for failure in &results.failures {
        println!("\n{failure}");
    }
    let mut good = results.failures.is_empty();
    if good && options.programs >= FULL && options.way.is_none() && options.with.is_none() {
        let missing = results.tally.missing(&machine.declared);
        if !missing.is_empty() {
            println!("never came into play: {}", missing.join("; "));
            good = false;
        }
    }
    println!(
        "{} passed, {} failed",
        results.done - results.failures.len() as u64,
        results.failures.len()
    );
    Ok(good)
}

/// The ways that were asked for: those of every batch, and those that take turns.
fn ways(options: &Options) -> Result<(Vec<Way>, Vec<Way>)> {
    let Some(name) = &options.way else {
        return Ok((ALWAYS.to_vec(), IN_TURN.to_vec()));
    };
    match all().find(|way| way.name == name) {
        Some(way) => Ok((vec![*way], Vec::new())),
        None => {
            let names: Vec<&str> = all().map(|way| way.name).collect();
            bail!("no way is called {name}; there are {}", names.join(", "))
        }
    }
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

/// Some programs in one module.
struct Batch<'m> {
    machine: &'m Machine,
    first: u64,
    count: u64,
    runs: Vec<Run>,
}

impl<'m> Batch<'m> {
    fn new(
        machine: &'m Machine,
        options: &Options,
        (always, in_turn): &(Vec<Way>, Vec<Way>),
        number: u64,
    ) -> Self {
        let first = options.seed + number * options.batch;
        let count = options.batch.min(options.programs - number * options.batch);
        // What is chosen for a batch depends on its first seed alone.
        let mut choices = Choices::random(!first);
        let turn = (first / options.batch) as usize;
        let mut ways = always.clone();
        if !in_turn.is_empty() {
            ways.push(in_turn[turn % in_turn.len()]);
        }
        let mut runs: Vec<Run> = ways
            .into_iter()
            .map(|way| Run::new(machine, way, &mut choices, options.with.as_deref()))
            .collect();
        for run in &mut runs {
            run.verified = !options.unverified;
        }
        let under_valgrind = number.is_multiple_of(VALGRIND) && machine.has_valgrind();
        if let Some(run) = runs.last_mut() {
            run.valgrind = under_valgrind;
        }
        Self {
            machine,
            first,
            count,
            runs,
        }
    }

    /// Checks all ways; the first failure ends it.
    fn check(&self) -> (Tally, Option<(Failure, Option<Run>)>) {
        let mut tally = Tally::default();
        let programs: Vec<Program> = (self.first..self.first + self.count)
            .map(Program::random)
            .collect();
        for program in &programs {
            tally.program(program);
        }
        let unplanned = match Unplanned::run(self.machine, programs) {
            Ok(unplanned) => unplanned,
            Err(failure) => return (tally, Some((failure, None))),
        };
        for run in &self.runs {
            if let Err(failure) = run.check(self.machine, &unplanned, &mut tally) {
                return (tally, Some((failure, Some(run.clone()))));
            }
        }
        (tally, None)
    }

    /// What fails if there is only this program.
    fn alone(&self, program: &Program, run: Option<&Run>) -> Option<Failure> {
        match (Unplanned::run(self.machine, vec![program.clone()]), run) {
            (Err(failure), _) => Some(failure),
            (Ok(unplanned), Some(run)) => run
                .check(self.machine, &unplanned, &mut Tally::default())
                .err(),
            (Ok(_), None) => None,
        }
    }

    /// Finds the program that fails, makes it small, and writes it down. Says what is wrong and how to see it.
    fn explain(&self, failure: Failure, run: Option<&Run>, tries: usize) -> String {
        let kind = failure.kind;
        let name = run.map_or("unplanned", |run| run.way.name);
        let same = |program: &Program| {
            self.alone(program, run)
                .filter(|failure| failure.kind == kind)
        };
        let guilty = failure
            .programs
            .iter()
            .map(|seed| Program::random(*seed))
            .find(|program| same(program).is_some());
        let mut text = format!(
            "seed {}, {name}: {kind:?}\n{}\n",
            self.first, failure.details
        );
        let (programs, seed, count) = match guilty {
            Some(program) => {
                let seed = program.seed;
                let small = reduce(program, tries, |program| same(program).is_some());
                if let Some(failure) = same(&small) {
                    text += &format!("reduced: {}\n", failure.details);
                }
                (vec![small], seed, 1)
            }
            None => {
                text += "no program fails alone\n";
                let all = (self.first..self.first + self.count).map(Program::random);
                (all.collect(), self.first, self.count)
            }
        };
        let with = run.map_or_else(String::new, |run| {
            format!(" --way {name} --with '{}'", run.options)
        });
        let command = format!("ci/fuzz {count} {seed} --batch {count}{with}");
        let mut head = format!(
            "// {}\n// {command}\n",
            text.trim_end().replace('\n', "\n// ")
        );
        if let Some(run) = run {
            head += &format!(
                "// mlir-opt --load-pass-plugin=libmemplan.so --pass-pipeline='{}'\n",
                run.pipeline()
            );
        }
        match written(&format!("{seed}-{name}.mlir"), &(head + &module(&programs))) {
            Ok(path) => text += &format!("{}\n", path.display()),
            Err(error) => text += &format!("not written: {error:#}\n"),
        }
        if kind == Kind::Generator {
            text += "the fuzzer itself is wrong here\n";
        }
        text + &command
    }
}

/// Writes a file into `target/fuzz`.
fn written(name: &str, text: &str) -> Result<PathBuf> {
    let executable = env::current_exe()?;
    let target = executable
        .ancestors()
        .nth(3)
        .context("the test executable has no place")?;
    let folder = target.join("fuzz");
    fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}
