//! The variants of a network that are compared: planned or not, with upstream's deallocation or without.

use std::fs;
use std::path::Path;

use anyhow::Result;
use memplan_harness::networks::Network;
use memplan_harness::networks::transform::{Variant, file_name, transform};
use memplan_harness::tools::Tools;
use memplan_report::Report;

/// Upstream's deallocation.
const DEALLOCATE: &str = "--buffer-deallocation-pipeline";

/// The rewriting passes.
const REWRITES: &[(&str, &str)] = &[
    ("elided", "memplan-elide-copies"),
    ("elided everywhere", "memplan-elide-copies{guard=none}"),
    ("reordered", "memplan-reorder"),
    ("computed again", "memplan-recompute{max-recompute=30}"),
    (
        "the whole job, without strips",
        "memplan{split=none verify=true}",
    ),
    ("split, planned", "memplan{free=false verify=true}"),
    (
        "the whole job, computed again",
        "memplan{split=none recompute=cheap verify=true}",
    ),
    (
        "elided everywhere, reordered, planned",
        "memplan-elide-copies{guard=none},memplan-reorder,memplan-merge-alloc{verify=true}",
    ),
];

/// Networks that are also planned once their operations are loops.
const LOWERED: &[&str] = &["lenet", "squeezenet1_1", "tiny_transformer", "train_mlp"];
const LOOPS: (&str, &str) = (
    "loops, split, planned",
    "func.func(convert-linalg-to-affine-loops),memplan{verify=true}",
);

/// All variants of one network.
#[derive(Debug)]
pub struct Variants {
    /// The unmodified network.
    pub plain: Variant,
    /// After upstream's deallocation: its leaks are the driver's.
    pub deallocated: Variant,
    /// Planned.
    pub planned: Variant,
    /// Planned, then deallocated by upstream.
    pub planned_deallocated: Variant,
    /// Deallocated by upstream, then planned.
    pub deallocated_planned: Variant,
    /// Planned, with arenas in globals.
    pub global: Variant,
    /// After the whole pipeline.
    pub whole: Variant,
    /// Rewritten before a plan: by each rewriting pass as far as it lowers the peak, and by all without that condition.
    pub rewritten: Vec<Variant>,
    /// The report of `planned`.
    pub report: Report,
    /// The report of `deallocated_planned`.
    pub deallocated_report: Report,
    /// The number of allocations in `planned`.
    pub allocations: usize,
}

impl Variants {
    /// Creates all variants in `folder`, with verification. A second plan must change nothing.
    pub fn make(network: &Network, tools: &Tools, folder: &Path) -> Result<Self> {
        let plain = network.file();
        let deallocated = transform(tools, &plain, folder, "deallocated", &[DEALLOCATE])?;
        let (planned, report) = plan(tools, &plain, folder, "planned", "")?;
        let (deallocated_planned, deallocated_report) =
            plan(tools, &deallocated.file, folder, "deallocated, planned", "")?;
        let planned_deallocated = transform(
            tools,
            &planned.file,
            folder,
            "planned, deallocated",
            &[DEALLOCATE],
        )?;
        let plugin = format!("--load-pass-plugin={}", tools.plugin.display());
        let through = |name: &str, pipeline: &str| {
            let pipeline = format!("--pass-pipeline=builtin.module({pipeline})");
            transform(tools, &plain, folder, name, &[&plugin, &pipeline])
        };
        let global = through(
            "planned, in globals",
            "memplan-merge-alloc{verify=true arena=global}",
        )?;
        let whole = through("the whole job", "memplan{verify=true}")?;
        let lowered = LOWERED.contains(&network.name.as_str()).then_some(&LOOPS);
        let rewritten = REWRITES.iter().chain(lowered);
        let rewritten = rewritten.map(|(name, passes)| through(name, passes));
        let rewritten = rewritten.collect::<Result<Vec<_>>>()?;
        let (twice, _) = plan(tools, &planned.file, folder, "planned twice", "")?;
        let text = fs::read_to_string(&planned.file)?;
        anyhow::ensure!(
            text == fs::read_to_string(&twice.file)?,
            "planning what is planned changes it"
        );
        Ok(Self {
            plain: Variant {
                name: "plain".to_owned(),
                file: plain,
            },
            deallocated,
            planned,
            planned_deallocated,
            deallocated_planned,
            global,
            whole,
            rewritten,
            report,
            deallocated_report,
            allocations: allocations(&text),
        })
    }
}

impl Variants {
    /// The planned variants, with upstream's deallocation, with ours, and without.
    pub fn planned(&self) -> [&Variant; 4] {
        [
            &self.planned,
            &self.planned_deallocated,
            &self.deallocated_planned,
            &self.whole,
        ]
    }
}

/// The number of allocations in a program.
pub fn allocations(text: &str) -> usize {
    text.matches("memref.alloc(").count()
}

/// Plans a program in `folder` with more `options`, with verification. Returns the report too, which is checked.
pub fn plan(
    tools: &Tools,
    from: &Path,
    folder: &Path,
    name: &str,
    options: &str,
) -> Result<(Variant, Report)> {
    let report = folder.join(format!("{}.json", file_name(name)));
    let plugin = format!("--load-pass-plugin={}", tools.plugin.display());
    let pipeline = format!(
        "--pass-pipeline=builtin.module(func.func(memplan-merge-alloc{{verify=true {options} report={}}}))",
        report.display()
    );
    let variant = transform(tools, from, folder, name, &[&plugin, &pipeline])?;
    let report = Report::from_json(&fs::read_to_string(report)?)?;
    report.check()?;
    Ok((variant, report))
}
