//! All checks of one deallocated network.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use memplan_harness::networks::Network;
use memplan_harness::networks::batch::batch;
use memplan_harness::networks::options::Options;
use memplan_harness::networks::transform::{BLOCKS, LOOPS, file_name, transform};
use memplan_harness::tools::Tools;

use super::run::{Machine, Ran, with_driver};
use super::trace::trace;

/// The tested pipeline.
const OURS: &str = "--pass-pipeline=builtin.module(memplan-dealloc-pipeline)";

/// The same with deallocations at the ends of blocks, which needs liveness across blocks.
const AT_ENDS: &str =
    "--pass-pipeline=builtin.module(memplan-dealloc-pipeline{placement=block-end})";

/// The pipeline that it is compared with.
const UPSTREAM: &str = "--buffer-deallocation-pipeline";

/// The trip count of the batch loop.
const TRIP_COUNT: usize = 2;

/// The findings about one network.
#[derive(Debug)]
pub struct Findings {
    /// The network's name.
    pub name: String,
    /// Its forms.
    pub forms: Vec<Form>,
    /// The time of all checks.
    pub time: Duration,
    /// The failed checks.
    pub failures: Vec<String>,
}

/// The heap use of a form of a network.
#[derive(Debug)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// The number of allocations that the network executes, without deallocations.
    pub allocations: u64,
    /// The peak with upstream's deallocation, in bytes; `None` if it is not requested, or the program does not run.
    pub upstream: Option<u64>,
    /// The peak with ours, in bytes.
    pub ours: u64,
    /// The load, in bytes.
    pub load: u64,
}

/// Deallocates the network in all its forms, and executes them. Upstream's peaks are for the table only.
pub fn check(network: &Network, tools: &Tools, heap: &Path, options: &Options) -> Findings {
    let start = Instant::now();
    let mut findings = Findings {
        name: network.name.clone(),
        forms: Vec::new(),
        time: Duration::ZERO,
        failures: Vec::new(),
    };
    let result = tempfile::tempdir().map_err(Into::into).and_then(|folder| {
        let bench = Bench {
            network,
            machine: Machine {
                tools,
                heap,
                folder: folder.path(),
                level: if options.all { 2 } else { network.level() },
                results: RefCell::default(),
            },
            with_upstream: options.table,
        };
        findings.fill(&bench)
    });
    if let Err(error) = result {
        findings.failures.push(format!("{error:#}"));
    }
    findings.time = start.elapsed();
    findings
}

/// The environment of a network.
struct Bench<'b> {
    network: &'b Network,
    machine: Machine<'b>,
    with_upstream: bool,
}

impl Findings {
    fn fill(&mut self, bench: &Bench<'_>) -> Result<()> {
        let network = bench.network;
        let change = |name: &str, from: &Path, how: &str| -> Result<PathBuf> {
            let Machine { tools, folder, .. } = bench.machine;
            Ok(transform(tools, from, folder, name, &[how])?.file)
        };
        let plain = network.file();
        let Machine { tools, folder, .. } = bench.machine;
        let looped = batch(network, Some(TRIP_COUNT), tools, folder)?.file;
        let forms = [
            ("plain", plain.clone(), &plain),
            ("cse", change("cse", &plain, "--cse")?, &plain),
            ("cf", change("cf", &plain, BLOCKS)?, &plain),
            ("loops, cf", change("loops, cf", &plain, LOOPS)?, &plain),
            ("batch", looped.clone(), &looped),
            ("batch, cf", change("batch, cf", &looped, BLOCKS)?, &looped),
        ];
        // Forms with the same operations on buffers have the same load.
        let mut needed: HashMap<PathBuf, Rc<Ran>> = HashMap::new();
        for (name, form, structured) in forms {
            let traced = match name {
                "cse" => &form,
                _ => structured,
            };
            if !needed.contains_key(traced) {
                let text = fs::read_to_string(traced)?;
                let ran = bench.traced(&text, name)?;
                needed.insert(traced.clone(), ran);
            }
            let free = &needed[traced];
            let freed = bench.freed(&form, name, OURS)?;
            let ours = bench.machine.run(&freed, name)?;
            self.note(name, compare(&ours, free));
            if network.is_small() && ["plain", "cf"].contains(&name) {
                let name = format!("{name}, block-end");
                let freed = bench.freed(&form, &name, AT_ENDS)?;
                // The driver's deallocations then come after the heap's report.
                let [same, _, _] = compare(&*bench.machine.run(&freed, &name)?, free);
                self.note(&name, [same]);
            }
            let is_compared = bench.with_upstream && ["plain", "batch"].contains(&name);
            let upstream = is_compared.then(|| {
                let freed = bench.freed(&form, &format!("{name}, upstream"), UPSTREAM)?;
                bench.machine.run(&freed, name)
            });
            self.forms.push(Form {
                name,
                allocations: free.own_allocations,
                upstream: upstream.and_then(Result::ok).map(|ran| ran.peak),
                ours: ours.peak,
                load: free.load,
            });
        }
        Ok(())
    }

    fn note<const N: usize>(&mut self, form: &str, results: [Result<()>; N]) {
        let failures = results.into_iter().filter_map(Result::err);
        self.failures
            .extend(failures.map(|error| format!("{form}: {error:#}")));
    }
}

impl Bench<'_> {
    /// The output and the load of a form without deallocations.
    fn traced(&self, text: &str, name: &str) -> Result<Rc<Ran>> {
        let declared = text.trim_end().rsplit_once('}').map(|(body, _)| body);
        let declared = declared.unwrap_or_default();
        let text = trace(&format!(
            "{declared}func.func private @heap_touch(index)\n}}\n"
        ))?;
        let whole = self.whole(&text, &format!("{name}, traced"))?;
        self.machine.run(&whole, name)
    }

    /// A form with its driver, deallocated.
    fn freed(&self, form: &Path, name: &str, how: &str) -> Result<PathBuf> {
        let text = fs::read_to_string(form)?;
        let whole = self.whole(&text, &format!("{name}, whole"))?;
        let Machine { tools, folder, .. } = self.machine;
        let plugin = format!("--load-pass-plugin={}", tools.plugin.display());
        let name = format!("{name}, freed");
        Ok(transform(tools, &whole, folder, &name, &[&plugin, how])?.file)
    }

    fn whole(&self, text: &str, name: &str) -> Result<PathBuf> {
        let file = format!("{}.mlir", file_name(name));
        let file = self.machine.folder.join(file);
        fs::write(&file, with_driver(&self.network.name, text)?)?;
        Ok(file)
    }
}

/// Checks that the deallocated program prints the same, leaves nothing, and holds no more than its load.
fn compare(freed: &Ran, needed: &Ran) -> [Result<()>; 3] {
    let same = || {
        ensure!(freed.printed == needed.printed, "it prints something else");
        Ok(())
    };
    let all = || {
        ensure!(
            freed.frees == freed.allocations && freed.allocations <= needed.allocations,
            "{} allocations and {} frees; {} allocations without frees",
            freed.allocations,
            freed.frees,
            needed.allocations
        );
        Ok(())
    };
    let least = || {
        ensure!(
            freed.peak == needed.load,
            "{} bytes at one moment, {} are needed",
            freed.peak,
            needed.load
        );
        Ok(())
    };
    [same(), all(), least()]
}
