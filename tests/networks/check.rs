//! All checks of one network.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use memplan_harness::networks::Network;
use memplan_harness::networks::transform::Variant;
use memplan_harness::tools::Tools;
use memplan_report::Report;

use super::execution::{Executions, heap, leak};
use super::forms::{Form, Forms};
use super::out_params;
use super::variants::{Variants, allocations};

/// Networks that return a buffer which a loop allocates in each iteration: planning leaves it alone, and only
/// deallocation frees it.
const CARRIES_WHAT_IT_RETURNS: [&str; 1] = ["greedy_decode"];

/// The findings about one network.
#[derive(Debug)]
pub struct Findings {
    /// The network's name.
    pub name: String,
    /// The allocations before and after.
    pub allocations: (usize, usize),
    /// Sums over the network's arenas.
    pub bytes: Bytes,
    /// All its forms; empty if they could not be created.
    pub forms: Vec<Form>,
    /// The number of allocations that were left alone, by reason.
    pub skipped: BTreeMap<String, usize>,
    /// The number of programs executed in `mlir-runner`, all with the expected output.
    pub executions: usize,
    /// The number of programs that ran clean under valgrind.
    pub valgrind: usize,
    /// The time of all checks.
    pub time: Duration,
    /// The failed checks.
    pub failures: Vec<String>,
}

/// Sums over the arenas of a report.
#[derive(Debug, Default, Clone, Copy)]
pub struct Bytes {
    /// The bytes of separate allocations.
    pub naive: u64,
    /// The proven lower bound.
    pub lower_bound: u64,
    /// The bytes of the arenas.
    pub planned: u64,
}

impl Bytes {
    /// The sums of a report.
    pub fn of(report: &Report) -> Self {
        let functions = report.functions.iter();
        functions.fold(Self::default(), |sum, function| {
            let naive = function.scopes.iter().map(|scope| scope.naive_bytes);
            sum.and(Self {
                naive: naive.sum(),
                lower_bound: function.lower_bound(),
                planned: function.planned(),
            })
        })
    }

    /// The sum of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            naive: self.naive + other.naive,
            lower_bound: self.lower_bound + other.lower_bound,
            planned: self.planned + other.planned,
        }
    }

    /// The ratio of the plan to the bound; `None` if nothing is planned.
    pub fn ratio(self) -> Option<f64> {
        (self.lower_bound > 0).then(|| self.planned as f64 / self.lower_bound as f64)
    }
}

/// Plans the network in all its variants and checks the reports. Executes the quick ones (`all`: every one).
pub fn check(network: &Network, tools: &Tools, all: bool) -> Findings {
    let start = Instant::now();
    let mut findings = Findings {
        name: network.name.clone(),
        allocations: (allocations(&network.text), 0),
        bytes: Bytes::default(),
        forms: Vec::new(),
        skipped: BTreeMap::new(),
        executions: 0,
        valgrind: 0,
        time: Duration::ZERO,
        failures: Vec::new(),
    };
    if let Err(error) = findings.fill(network, tools, all) {
        findings.failures.push(format!("{error:#}"));
    }
    findings.time = start.elapsed();
    findings
}

impl Findings {
    /// Runs the steps. Steps that depend on no other run even after a failure.
    fn fill(&mut self, network: &Network, tools: &Tools, all: bool) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let variants = Variants::make(network, tools, folder.path())?;
        self.allocations.1 = variants.allocations;
        self.bytes = Bytes::of(&variants.report);
        self.skipped = skipped(&variants.report);
        self.note("report", check_report(&variants.plain, &variants.report));
        self.note("plan", check_skipped(&variants.report));
        let result = check_report(&variants.deallocated, &variants.deallocated_report);
        self.note("report after deallocation", result);
        let forms = Forms::make(network, &variants, tools, folder.path())?;
        for result in forms.check() {
            self.note("form", result);
        }
        let in_arguments = out_params::make(tools, &network.file(), folder.path());
        let in_arguments = in_arguments.unwrap_or_else(|error| {
            self.note("out-params", Err(error));
            None
        });
        let valgrind = tools.valgrind.as_deref().filter(|_| network.is_small());
        if let Some(valgrind) = valgrind {
            self.leaks(network, &variants, tools, valgrind, folder.path());
        }
        if network.expected.is_some() && (all || network.is_quick()) {
            let mut executed = vec![&variants.plain, &variants.global];
            // Those that ran under valgrind have printed the expected output already.
            if all || valgrind.is_none() {
                executed.extend(variants.planned());
            }
            executed.extend(&variants.rewritten);
            executed.extend(&in_arguments);
            executed.extend(forms.to_execute(all));
            let level = if all { 2 } else { network.level() };
            let executions = Executions::new(network, tools, folder.path(), level);
            self.execute(executions, &executed);
            if all || is_dynamic(network) || network.is_small() {
                let result = few_allocations(network, &variants, tools);
                self.note("heap", result);
            }
        }
        self.forms = forms.all;
        Ok(())
    }

    fn note(&mut self, step: &str, result: Result<()>) {
        if let Err(error) = result {
            self.failures.push(format!("{step}: {error:#}"));
        }
    }

    fn execute(&mut self, mut executions: Executions<'_>, variants: &[&Variant]) {
        for variant in variants {
            let result = executions.execute(variant);
            self.note(&variant.name, result);
        }
        self.executions = executions.count();
    }

    /// Leaks are the driver's: as many bytes as where upstream deallocated, however it was planned, or fewer where results are
    /// donated arguments, which the driver allocates anyway.
    fn leaks(
        &mut self,
        network: &Network,
        variants: &Variants,
        tools: &Tools,
        valgrind: &Path,
        folder: &Path,
    ) {
        let leak = |variant: &Variant| leak(network, variant, tools, valgrind, folder);
        let driver = match leak(&variants.deallocated) {
            Ok(driver) => driver,
            Err(error) => return self.note("valgrind before planning", Err(error)),
        };
        for variant in variants.planned() {
            let may_leak = variant.name == variants.planned.name && leaks_alone(network);
            let result = leak(variant).and_then(|found| {
                let is_less = found < driver && network.text.contains("memplan.donated");
                ensure!(
                    found == driver || may_leak || is_less,
                    "{found} leak, {driver} are the driver's"
                );
                Ok(())
            });
            self.valgrind += usize::from(result.is_ok());
            self.note(&format!("valgrind: {}", variant.name), result);
        }
    }
}

/// Whether the network has dynamic sizes.
fn is_dynamic(network: &Network) -> bool {
    network.text.contains("memref.alloc(%")
}

/// Whether the plan alone, without deallocation, leaves allocations that nothing frees.
fn leaks_alone(network: &Network) -> bool {
    CARRIES_WHAT_IT_RETURNS.contains(&network.name.as_str())
}

fn skipped(report: &Report) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for skipped in report
        .functions
        .iter()
        .flat_map(|function| &function.skipped)
    {
        *reasons.entry(skipped.reason.clone()).or_default() += 1;
    }
    reasons
}

/// Checks that every allocation is planned, or skipped with a reason.
pub fn check_report(before: &Variant, report: &Report) -> Result<()> {
    let planned = planned(report);
    let skipped = skipped(report).values().sum::<usize>();
    let there = allocations(&fs::read_to_string(&before.file)?);
    ensure!(
        planned + skipped == there,
        "of {there} allocations {planned} are planned and {skipped} skipped"
    );
    Ok(())
}

/// Checks that a call of a network allocates few times, apart from results: at most six times when planned, and four
/// times after the whole pipeline. Its peak is not above that of separate allocations.
fn few_allocations(network: &Network, variants: &Variants, tools: &Tools) -> Result<()> {
    let plain = heap(network, &variants.plain, tools)?;
    let returned = skipped(&variants.report).values().sum::<usize>();
    for (variant, most) in [(&variants.planned, 6), (&variants.whole, 4)] {
        let planned = heap(network, variant, tools)?;
        // A loop-carried buffer is allocated in each iteration.
        let are_few = planned.allocations <= most + returned as u64 || leaks_alone(network);
        ensure!(
            are_few && planned.peak <= plain.peak,
            "{}: a call takes {planned:?}, and {plain:?} without the plan",
            variant.name
        );
    }
    // No allocation is left alone because its arena would be held for too long.
    let text = fs::read_to_string(&variants.whole.file)?;
    let left = text.lines().filter(|line| {
        let allocates = line.contains("memref.alloc(") || line.contains("\"memref.alloc\"(");
        allocates && !line.contains("memplan.arena")
    });
    let left = left.count();
    ensure!(
        left <= returned,
        "{left} allocations are left, and {returned} are results"
    );
    Ok(())
}

/// Checks that only buffers that are returned, or alternate with those, are skipped.
fn check_skipped(report: &Report) -> Result<()> {
    ensure!(planned(report) > 0, "nothing is planned");
    // If such an alternating buffer were planned, a flag would have to free it.
    let stays = ["returned", "freed-by-flag"];
    if let Some(reason) = skipped(report)
        .keys()
        .find(|reason| !stays.contains(&reason.as_str()))
    {
        bail!("skipped: {reason}");
    }
    Ok(())
}

fn planned(report: &Report) -> usize {
    let scopes = report
        .functions
        .iter()
        .flat_map(|function| &function.scopes);
    let slots = |scope: &memplan_report::ScopeReport| -> usize {
        scope.slots.iter().map(|slot| slot.buffers.len()).sum()
    };
    scopes.map(|scope| scope.buffers.len() + slots(scope)).sum()
}
