//! Everything that has to hold for one network that is freed.

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

/// What is tested.
const OURS: &str = "--pass-pipeline=builtin.module(memplan-dealloc-pipeline)";

/// The same where blocks end, which asks what goes on to other blocks.
const AT_ENDS: &str =
    "--pass-pipeline=builtin.module(memplan-dealloc-pipeline{placement=block-end})";

/// What it is compared with.
const UPSTREAM: &str = "--buffer-deallocation-pipeline";

/// Turns of the batch loop.
const TURNS: usize = 2;

/// What was found out about one network.
#[derive(Debug)]
pub struct Findings {
    /// The network's name.
    pub name: String,
    /// Its forms.
    pub forms: Vec<Form>,
    /// How long all of that took.
    pub time: Duration,
    /// What does not hold.
    pub failures: Vec<String>,
}

/// What a form of a network holds when it runs.
#[derive(Debug)]
pub struct Form {
    /// Which one.
    pub name: &'static str,
    /// Allocations that the network executes, without frees.
    pub allocations: u64,
    /// Most bytes at one moment with upstream's deallocation; `None` where it is not asked for, or makes no program
    /// that runs.
    pub upstream: Option<u64>,
    /// The same with ours.
    pub ours: u64,
    /// What is needed.
    pub load: u64,
}

/// Frees the network in all its forms, and executes them. Nothing hangs on upstream's peaks: they are for the table.
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
                known: RefCell::default(),
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

/// What a network runs with.
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
        let looped = batch(network, Some(TURNS), tools, folder)?.file;
        let forms = [
            ("plain", plain.clone(), &plain),
            ("cse", change("cse", &plain, "--cse")?, &plain),
            ("cf", change("cf", &plain, BLOCKS)?, &plain),
            ("loops, cf", change("loops, cf", &plain, LOOPS)?, &plain),
            ("batch", looped.clone(), &looped),
            ("batch, cf", change("batch, cf", &looped, BLOCKS)?, &looped),
        ];
        // Forms of the same operations on buffers need the same.
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
                // The driver's frees come behind the heap's report then.
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
                allocations: free.made,
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
    /// What a form does without frees, and what it needs.
    fn traced(&self, text: &str, name: &str) -> Result<Rc<Ran>> {
        let declared = text.trim_end().rsplit_once('}').map(|(body, _)| body);
        let declared = declared.unwrap_or_default();
        let text = trace(&format!(
            "{declared}func.func private @heap_touch(index)\n}}\n"
        ))?;
        let whole = self.whole(&text, &format!("{name}, traced"))?;
        self.machine.run(&whole, name)
    }

    /// A form with its driver, freed.
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

/// What is freed computes the same, leaves nothing, and holds no more than it needs.
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
