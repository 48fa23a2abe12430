//! Bounded programs on one stack, executed: `cargo test --test bounded -- [N [SEED]] [--batch N] [--figures]`.
//!
//! The kernels of `kernels.mlir`, and N programs by chance ([`generate`](bounded::generate)), from SEED on, a batch of
//! them to a module. Each module is executed as it is, and again behind each of several ways through the passes
//! ([`WAYS`]): it has to print the same for every input. Kernels go every way, and all of it under valgrind; of the
//! others, each module goes three ways in turn. What the report of each way says has to hold: no scan is higher than
//! sharing nothing, no planner's layout higher than a scan, and with moves the stack is what is live at once, but where
//! something is pinned, which may be in the way: then it is no higher than a scan.
//!
//! With `--figures`, a table says what each way comes to.

mod bounded {
    pub mod execute;
    pub mod generate;
    pub mod kernels;
    pub mod options;
}

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use memplan_harness::arguments::processors;
use memplan_harness::tools::Tools;
use memplan_report::{FunctionReport, LayoutReport, Report};

use bounded::execute::Machine;
use bounded::options::Options;
use bounded::{generate, kernels};

/// Options of `memplan-bounded-pipeline`.
const WAYS: [&str; 10] = [
    "mode=defrag fit=first",
    "mode=plain",
    "mode=scan fit=first",
    "mode=defrag fit=planner",
    "mode=scan fit=best arena=alloca",
    "mode=defrag fit=best arena=alloca",
    "mode=scan fit=planner",
    "mode=defrag fit=first move-budget=48",
    "mode=defrag fit=first alignment=16",
    "mode=defrag fit=planner values=all",
];

/// Options of `memplan-tree-scan` with `virtual=true`, which keeps loops and branches.
const AS_IT_IS: [&str; 2] = ["fit=planner", "mode=scan fit=first arena=alloca"];

/// So many ways are gone by a module of programs by chance.
const TURNS: usize = 3;

/// Modules that are checked at a time, however many processors there are.
const MOST: usize = 4;

/// What was seen, for the table.
#[derive(Default)]
struct Figures {
    /// For each way: functions, and sums of load, plain, scan, planner, moved bytes.
    ways: BTreeMap<&'static str, [u64; 7]>,
}

impl Figures {
    fn add(&mut self, way: &'static str, layout: &LayoutReport) {
        let sums = self.ways.entry(way).or_default();
        let numbers = [
            1,
            layout.max_live_bytes,
            layout.plain_bytes,
            layout.scan_bytes.unwrap_or(0),
            layout.planner_bytes.unwrap_or(0),
            layout.peak_bytes,
            layout.moved_bytes,
        ];
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }

    fn print(&self) {
        println!(
            "{:<40} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "way", "functions", "live", "plain", "scan", "planner", "stack", "moved"
        );
        for (way, [count, rest @ ..]) in &self.ways {
            print!("{way:<40} {count:>9}");
            for number in rest {
                print!(" {number:>10}");
            }
            println!();
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bounded: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let options = Options::parse();
    if options.list {
        println!("bounded: test");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let machine = Machine::new(Tools::find()?, folder.path());
    let figures = Mutex::new(Figures::default());
    let kernels = kernels::all();
    ensure!(kernels.len() >= 40, "{} kernels are too few", kernels.len());
    let text = kernels::module(&kernels.iter().collect::<Vec<_>>());
    // Of these, inner bounds depend on a loop around, which only writing it out makes constant.
    let constant: Vec<_> = kernels
        .iter()
        .filter(|kernel| !kernel.is_triangular())
        .collect();
    let mixed = kernels::module(&constant);
    let expected = machine
        .execute(&mixed, false)
        .context("kernels as they are")?;
    as_it_is(&machine, &mixed, &expected).context("kernels")?;
    check(&machine, &text, &WAYS, true, &figures).context("kernels")?;

    let batches = options.programs.div_ceil(options.batch);
    let next = AtomicU64::new(0);
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..processors().get().min(MOST) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= batches || failure.lock().expect("no worker panics").is_some() {
                        return;
                    }
                    let first = options.seed + number * options.batch;
                    let last = (first + options.batch).min(options.seed + options.programs);
                    let ways: Vec<&'static str> = (0..TURNS)
                        .map(|turn| WAYS[(number as usize * TURNS + turn) % WAYS.len()])
                        .collect();
                    if let Err(error) = batch(&machine, first, last, &ways, &figures) {
                        failure
                            .lock()
                            .expect("no worker panics")
                            .get_or_insert(error);
                    }
                    if number % 10 == 9 {
                        eprintln!("{} programs", last - options.seed);
                    }
                }
            });
        }
    });
    if let Some(error) = failure.into_inner().expect("no worker panics") {
        return Err(error);
    }
    if options.figures {
        figures.into_inner().expect("no worker panics").print();
    }
    println!(
        "{} passed, 0 failed",
        kernels.len() as u64 + options.programs
    );
    Ok(())
}

/// Programs by chance; where they fail together, the first that fails alone is told.
fn batch(
    machine: &Machine,
    first: u64,
    last: u64,
    ways: &[&'static str],
    figures: &Mutex<Figures>,
) -> Result<()> {
    let seeds: Vec<u64> = (first..last).collect();
    let Err(error) = check(machine, &generate::module(&seeds), ways, false, figures) else {
        return Ok(());
    };
    for seed in seeds {
        let text = generate::module(&[seed]);
        for way in ways {
            if let Err(error) = check(machine, &text, &[way], false, &Mutex::default()) {
                let path = machine.keep(&text)?;
                return Err(error.context(format!("program {seed}, {way}; see {path}")));
            }
        }
    }
    Err(error.context(format!("programs {first} to {last} together")))
}

/// Executes a module as it is and each way, and compares.
fn check(
    machine: &Machine,
    text: &str,
    ways: &[&'static str],
    valgrind: bool,
    figures: &Mutex<Figures>,
) -> Result<()> {
    let expected = machine.execute(text, false).context("as it is")?;
    ensure!(!expected.is_empty(), "nothing is printed");
    for way in ways {
        let (transformed, report) = machine.transform(text, way).context(*way)?;
        let found = machine.execute(&transformed, valgrind).context(*way)?;
        if found != expected {
            let lines = expected.lines().zip(found.lines());
            let differs = lines.enumerate().find(|(_, (one, other))| one != other);
            anyhow::bail!("{way}: other output: {differs:?}");
        }
        says(&report, way, figures).context(*way)?;
    }
    match valgrind {
        // Kernels are looked at elsewhere.
        true => Ok(()),
        false => as_it_is(machine, text, &expected),
    }
}

/// With loops and branches kept: it prints the same, and what is live at once is what it is when they are not.
fn as_it_is(machine: &Machine, text: &str, expected: &str) -> Result<()> {
    let (_, tree) = machine.transform(text, "mode=scan fit=first apply=false")?;
    for way in AS_IT_IS {
        let (transformed, report) = machine.keep_branches(text, way).context(way)?;
        let found = machine.execute(&transformed, false).context(way)?;
        ensure!(found == expected, "virtual=true {way}: other output");
        for (one, other) in report.functions.iter().zip(&tree.functions) {
            let layout = |function: &FunctionReport| {
                let bounded = function.bounded.as_ref();
                bounded.and_then(|bounded| bounded.layout.clone())
            };
            let mut skipped = one.skipped.iter();
            let is_left = skipped.any(|skipped| skipped.reason == "pointer-extracted");
            let (one, tree) = (
                layout(one).context("a layout")?,
                layout(other).context("a layout")?,
            );
            let name = &other.name;
            // Conditions that follow from constants take one way in the tree; with loops kept, buffers whose
            // address is taken in one are left alone.
            ensure!(
                is_left
                    || one.max_live_bytes >= tree.max_live_bytes
                        && one.plain_bytes >= tree.plain_bytes,
                "virtual=true {way}: @{name}: {} live at once, in the tree {}",
                one.max_live_bytes,
                tree.max_live_bytes
            );
            if let Some(planner) = one.planner_bytes {
                ensure!(
                    planner >= one.max_live_bytes,
                    "virtual=true {way}: @{name}: {planner}"
                );
            }
        }
    }
    Ok(())
}

/// What a report must say.
fn says(report: &Report, way: &'static str, figures: &Mutex<Figures>) -> Result<()> {
    report.check().context("the report contradicts itself")?;
    let layout = |function: &FunctionReport| -> Option<LayoutReport> {
        function.bounded.as_ref()?.layout.clone()
    };
    let mut count = 0;
    for function in &report.functions {
        let layout = layout(function).context("a function without a layout")?;
        let name = &function.name;
        let (load, plain) = (layout.max_live_bytes, layout.plain_bytes);
        let scan = layout.scan_bytes.context("no scan")?;
        let planner = layout.planner_bytes.context("no planner's layout")?;
        ensure!(
            load <= scan && scan <= plain,
            "{name}: {load} live, scan {scan}, plain {plain}"
        );
        ensure!(load <= planner, "{name}: {load} live, planner {planner}");
        ensure!(
            planner <= scan,
            "{name}: the planner takes {planner}, a scan {scan}"
        );
        let moved = layout.defrag_bytes.context("no moves")?;
        ensure!(
            moved == load || layout.pinned > 0 && load < moved && moved <= scan.min(planner),
            "{name}: {load} live, {moved} with moves, {} pinned",
            layout.pinned
        );
        for path in &layout.paths {
            ensure!(
                path.peak_bytes <= layout.peak_bytes,
                "{name}: a path is higher"
            );
            ensure!(
                path.moved_bytes <= layout.moved_bytes,
                "{name}: a path moves more"
            );
        }
        let ends = (layout.curve.first(), layout.curve.last());
        if let (Some(none), Some(all)) = ends {
            ensure!(
                none.moved_bytes == 0 && (all.peak_bytes == load || layout.pinned > 0),
                "{name}: {ends:?}"
            );
        }
        count += 1;
        if load > 0 {
            figures.lock().expect("no worker panics").add(way, &layout);
        }
    }
    ensure!(count > 0, "an empty report");
    Ok(())
}
