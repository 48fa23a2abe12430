//! The settings of a compilation, from the arguments.

use anyhow::{Result, bail};
use memplan_driver::compile::{Arguments, EmitName, MOST_SHARDS, Shard};
use memplan_mlir::llvm::Target;
use memplan_passes::collector::FOR_CALLER;
use memplan_translate::{
    settings::{Emit, LARGE, LOWER, PREPARE, SCOPES, Settings, VOLUME},
    shard,
};
use std::{num::NonZero, thread};

// The arguments are read without the crate that compiles.
const _: () = assert!(MOST_SHARDS == shard::MOST_SHARDS);

/// The settings of the compilation.
pub fn of(arguments: &Arguments) -> Result<Settings> {
    for passes in [Some(&arguments.memplan), arguments.pass_pipeline.as_ref()] {
        // Each unit would overwrite the file.
        if passes.is_some_and(|passes| passes.contains("report=")) {
            bail!(
                "passes take no report=FILE here: --report FILE collects the plans of all \
                functions"
            );
        }
    }
    let is_reporting = arguments.report.is_some() || arguments.shard.is_some();
    let (plan, mut lower) = match &arguments.pass_pipeline {
        Some(text) => (inner(text)?.to_owned(), String::new()),
        None => (plan(arguments, is_reporting), LOWER.to_owned()),
    };
    if arguments.debug {
        lower.push_str(if lower.is_empty() { "" } else { "," });
        lower.push_str(SCOPES);
    }
    let processors = || thread::available_parallelism().map_or(1, NonZero::get);
    Ok(Settings {
        plan,
        lower,
        llvm_passes: arguments.llvm_passes.clone(),
        target: Target {
            triple: arguments.target.clone(),
            cpu: arguments.cpu.clone(),
            features: arguments.features.clone(),
            level: arguments.level,
        },
        emit: match arguments.emit {
            EmitName::Obj | EmitName::Ninja => Emit::Object,
            EmitName::Asm => Emit::Assembly,
            EmitName::Llvm => Emit::Llvm,
            EmitName::Mlir => Emit::Mlir,
        },
        whole_program: arguments.whole_program,
        report: is_reporting,
        allow_unregistered: arguments.allow_unregistered_dialect,
        workers: arguments
            .jobs
            .map_or_else(processors, NonZero::get)
            .min(1024),
        shard: arguments.shard.map(|Shard(shard, of)| (shard, of)),
        volume: VOLUME,
        large: LARGE,
    })
}

fn plan(arguments: &Arguments, is_reporting: bool) -> String {
    let mut options = arguments.memplan.trim().to_owned();
    if is_reporting {
        options.push_str(&format!(" report={FOR_CALLER}"));
    }
    match options.trim() {
        "" => format!("{PREPARE},memplan"),
        options => format!("{PREPARE},memplan{{{options}}}"),
    }
}

/// The passes of a pipeline, without `builtin.module(` and `)` around them.
fn inner(text: &str) -> Result<&str> {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("builtin.module(") else {
        return Ok(text);
    };
    match rest.strip_suffix(')') {
        Some(inner) => Ok(inner),
        None => bail!("--pass-pipeline: '{text}' does not end with ')'"),
    }
}
