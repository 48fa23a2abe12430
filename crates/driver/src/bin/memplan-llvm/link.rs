//! `memplan link`: links the shards of `memplan compile --shard` into one object.

use anyhow::{Context, Result};
use memplan_driver::{
    files::{self, Outputs},
    link::Arguments,
};
use memplan_output::targets::Targets;
use memplan_report::Report;
use memplan_translate::{product::Objects, shard};

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut targets = Targets::default();
    for path in &arguments.shards {
        targets.input("a shard", path);
    }
    let report = arguments.report.as_deref().map(|path| ("--report", path));
    let all = [("-o", &*arguments.output)].into_iter().chain(report);
    files::check_outputs(&mut targets, all)?;
    let mut shards = Vec::new();
    for path in &arguments.shards {
        let name = files::name(path);
        let (header, outcomes) = shard::read(&files::read(path)?)
            .ok_or_else(|| shard::ShardError::Unreadable(name.clone()))?;
        shards.push((name, header, outcomes));
    }
    let (_, outcomes) = shard::gather(shards)?;
    let mut objects = Objects::default();
    let mut reports = Vec::new();
    for mut outcome in outcomes {
        objects.add(&outcome).context("cannot link the shards")?;
        reports.append(&mut outcome.reports);
    }
    let object = objects.finish().context("cannot link the shards")?;
    let mut outputs = Outputs::default();
    outputs.add(&arguments.output, &object)?;
    if let Some(path) = &arguments.report {
        outputs.add(path, Report::new(reports).to_json().as_bytes())?;
    }
    outputs.commit()
}
