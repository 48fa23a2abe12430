//! Bounded programs on one stack, executed: `cargo test --test bounded -- [N [SEED]] [--batch N] [--figures]`.
//!
//! Runs the kernels of `kernels.mlir`, and N random programs ([`generate`](bounded::generate)) from SEED on, a
//! batch of them in one module. Each module is executed as it is, and again after each of several configurations of
//! the passes ([`CONFIGURATIONS`]): it must print the same for every input. Kernels use every configuration, and
//! all of it runs under valgrind; each other module uses three of them, in rotation. The report of each
//! configuration must hold: no scan is higher than a layout without reuse, and no layout of a solver is higher than
//! a scan. With moves, the stack is as high as the load, unless pinned values leave too little space: then it is no
//! higher than a scan.
//!
//! With `--figures`, a table has the figures of each configuration.

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
const CONFIGURATIONS: [&str; 10] = [
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
const VIRTUAL: [&str; 2] = ["fit=planner", "mode=scan fit=first arena=alloca"];

/// The number of configurations for a module of random programs.
const CONFIGURATIONS_PER_MODULE: usize = 3;

/// The maximum number of modules that are checked at a time, however many processors there are.
const MOST_JOBS: usize = 4;

/// The figures for the table.
#[derive(Default)]
struct Figures {
    /// For each configuration: functions, and sums of load, plain, scan, planner, moved bytes.
    configurations: BTreeMap<&'static str, [u64; 7]>,
}

impl Figures {
    fn add(&mut self, configuration: &'static str, layout: &LayoutReport) {
        let sums = self.configurations.entry(configuration).or_default();
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
            "configuration", "functions", "live", "plain", "scan", "planner", "stack", "moved"
        );
        for (configuration, [count, rest @ ..]) in &self.configurations {
            print!("{configuration:<40} {count:>9}");
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
    // In these, inner bounds depend on an outer loop, and become constant only by unrolling.
    let constant: Vec<_> = kernels
        .iter()
        .filter(|kernel| !kernel.is_triangular())
        .collect();
    let mixed = kernels::module(&constant);
    let expected = machine
        .execute(&mixed, false)
        .context("kernels as they are")?;
    check_virtual(&machine, &mixed, &expected).context("kernels")?;
    check(&machine, &text, &CONFIGURATIONS, true, &figures).context("kernels")?;

    let batches = options.programs.div_ceil(options.batch);
    let next = AtomicU64::new(0);
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..processors().get().min(MOST_JOBS) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= batches || failure.lock().expect("no worker panics").is_some() {
                        return;
                    }
                    let first = options.seed + number * options.batch;
                    let last = (first + options.batch).min(options.seed + options.programs);
                    let configurations: Vec<&'static str> = (0..CONFIGURATIONS_PER_MODULE)
                        .map(|rotation| {
                            CONFIGURATIONS[(number as usize * CONFIGURATIONS_PER_MODULE + rotation)
                                % CONFIGURATIONS.len()]
                        })
                        .collect();
                    if let Err(error) = batch(&machine, first, last, &configurations, &figures) {
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

/// Checks random programs. If they fail together, reports the first one that fails alone.
fn batch(
    machine: &Machine,
    first: u64,
    last: u64,
    configurations: &[&'static str],
    figures: &Mutex<Figures>,
) -> Result<()> {
    let seeds: Vec<u64> = (first..last).collect();
    let Err(error) = check(
        machine,
        &generate::module(&seeds),
        configurations,
        false,
        figures,
    ) else {
        return Ok(());
    };
    for seed in seeds {
        let text = generate::module(&[seed]);
        for configuration in configurations {
            if let Err(error) = check(machine, &text, &[configuration], false, &Mutex::default()) {
                let path = machine.keep(&text)?;
                return Err(error.context(format!("program {seed}, {configuration}; see {path}")));
            }
        }
    }
    Err(error.context(format!("programs {first} to {last} together")))
}

/// Executes a module as it is and in each configuration, and compares.
fn check(
    machine: &Machine,
    text: &str,
    configurations: &[&'static str],
    valgrind: bool,
    figures: &Mutex<Figures>,
) -> Result<()> {
    let expected = machine.execute(text, false).context("as it is")?;
    ensure!(!expected.is_empty(), "nothing is printed");
    for configuration in configurations {
        let (transformed, report) = machine
            .transform(text, configuration)
            .context(*configuration)?;
        let found = machine
            .execute(&transformed, valgrind)
            .context(*configuration)?;
        if found != expected {
            let lines = expected.lines().zip(found.lines());
            let differs = lines.enumerate().find(|(_, (one, other))| one != other);
            anyhow::bail!("{configuration}: other output: {differs:?}");
        }
        check_report(&report, configuration, figures).context(*configuration)?;
    }
    match valgrind {
        // Kernels are checked elsewhere.
        true => Ok(()),
        false => check_virtual(machine, text, &expected),
    }
}

/// Checks layouts that keep loops and branches: the program prints the same, and the load is that of the expanded
/// program.
fn check_virtual(machine: &Machine, text: &str, expected: &str) -> Result<()> {
    let (_, tree) = machine.transform(text, "mode=scan fit=first apply=false")?;
    for configuration in VIRTUAL {
        let (transformed, report) = machine
            .keep_branches(text, configuration)
            .context(configuration)?;
        let found = machine
            .execute(&transformed, false)
            .context(configuration)?;
        ensure!(
            found == expected,
            "virtual=true {configuration}: other output"
        );
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
            // Conditions that follow from constants take one branch in the tree. With loops kept, buffers whose address
            // is taken in a branch are left alone.
            ensure!(
                is_left
                    || one.max_live_bytes >= tree.max_live_bytes
                        && one.plain_bytes >= tree.plain_bytes,
                "virtual=true {configuration}: @{name}: {} live at once, in the tree {}",
                one.max_live_bytes,
                tree.max_live_bytes
            );
            if let Some(planner) = one.planner_bytes {
                ensure!(
                    planner >= one.max_live_bytes,
                    "virtual=true {configuration}: @{name}: {planner}"
                );
            }
        }
    }
    Ok(())
}

/// Checks the report of a configuration.
fn check_report(
    report: &Report,
    configuration: &'static str,
    figures: &Mutex<Figures>,
) -> Result<()> {
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
        let rounded = layout.rounded_live_bytes.unwrap_or(load);
        ensure!(
            load <= moved && moved <= rounded.min(scan)
                || layout.pinned > 0 && load < moved && moved <= scan.min(planner),
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
                none.moved_bytes == 0 && (all.peak_bytes <= rounded || layout.pinned > 0),
                "{name}: {ends:?}"
            );
        }
        count += 1;
        if load > 0 {
            figures
                .lock()
                .expect("no worker panics")
                .add(configuration, &layout);
        }
    }
    ensure!(count > 0, "an empty report");
    Ok(())
}
