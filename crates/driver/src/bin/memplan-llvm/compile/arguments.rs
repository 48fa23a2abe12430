//! The arguments of `memplan compile`.

use super::default_output_path;
use anyhow::{Result, bail};
use memplan_mlir::llvm::Target;
use memplan_passes::collector::FOR_CALLER;
use memplan_translate::{
    settings::{Emit, LARGE, LOWER, PREPARE, SCOPES, Settings, VOLUME},
    shard::MOST_SHARDS,
};
use std::{num::NonZero, path::PathBuf, str::FromStr, thread};

/// Compile a module: plan its memory, lower it, and make one object of it, functions in parallel.
///
/// The result does not depend on the number of threads. `@FILE` among the arguments stands for those in the file, one on each
/// line.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// MLIR, text or bytecode; - is standard input.
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// Where the result goes; - is standard output. Default: beside the input.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Threads that translate; default: as many as there are processors.
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// The form of the result.
    #[arg(long, value_enum, default_value = "obj")]
    pub emit: EmitName,
    /// The triple that code is for; default: this machine's.
    #[arg(long, value_name = "TRIPLE", default_value = "")]
    pub target: String,
    /// The processor that code is for; `native` for this one.
    #[arg(long, value_name = "CPU", default_value = "")]
    pub cpu: String,
    /// Features that code may use, as `+avx2,-sse4a`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub features: String,
    /// How hard machine code is worked on.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: u8,
    /// Keep locations as debug information.
    #[arg(short = 'g')]
    pub debug: bool,
    /// Options of the pipeline `memplan`, as `planner=exact dynamic=malloc`.
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        conflicts_with = "pass_pipeline"
    )]
    pub memplan: String,
    /// Passes in place of `memplan` and of those that lower to LLVM.
    #[arg(long, value_name = "PIPELINE", conflicts_with = "report")]
    pub pass_pipeline: Option<String>,
    /// Passes of LLVM's, as `opt -passes` takes them: `default<O2>`.
    #[arg(long, value_name = "PASSES", default_value = "")]
    pub llvm_passes: String,
    /// Plan all functions together, as `--memplan scope=module` may want it.
    #[arg(long)]
    pub whole_program: bool,
    /// Take operations of dialects that nobody knows.
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Write the plans of all functions as JSON; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Compile shard I of N, counted from 0; `memplan link` joins them.
    #[arg(long, value_name = "I/N", conflicts_with = "report")]
    pub shard: Option<Shard>,
    /// With --emit ninja: how many shards.
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub shards: u32,
    /// Say on standard error how long each phase took.
    #[arg(long)]
    pub time_report: bool,
    /// Say on standard error how much memory it took.
    #[arg(long)]
    pub mem_report: bool,
}

/// What comes out.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitName {
    /// A relocatable object.
    Obj,
    /// Assembly.
    Asm,
    /// LLVM IR.
    Llvm,
    /// MLIR, after the passes.
    Mlir,
    /// A file for ninja that compiles shards and links them.
    Ninja,
}

/// Shard `.0` of `.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard(pub usize, pub usize);

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "takes I/N with I less than N, as 0/4".to_owned();
        let (shard, of) = text.split_once('/').ok_or_else(wrong)?;
        let shard = shard.parse().map_err(|_| wrong())?;
        let of = of.parse().map_err(|_| wrong())?;
        match shard < of && of <= MOST_SHARDS {
            true => Ok(Self(shard, of)),
            false => Err(wrong()),
        }
    }
}

/// The output of the compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    Product,
    Shard,
    Ninja(u32),
}

impl Arguments {
    /// The settings of the compilation.
    pub fn settings(&self) -> Result<Settings> {
        for passes in [Some(&self.memplan), self.pass_pipeline.as_ref()] {
            // Each unit would overwrite the file.
            if passes.is_some_and(|passes| passes.contains("report=")) {
                bail!(
                    "passes take no report=FILE here: --report FILE collects the plans of all \
                    functions"
                );
            }
        }
        let is_reporting = self.report.is_some() || self.shard.is_some();
        let (plan, mut lower) = match &self.pass_pipeline {
            Some(text) => (inner(text)?.to_owned(), String::new()),
            None => (self.plan(is_reporting), LOWER.to_owned()),
        };
        if self.debug {
            lower.push_str(if lower.is_empty() { "" } else { "," });
            lower.push_str(SCOPES);
        }
        let processors = || thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Settings {
            plan,
            lower,
            llvm_passes: self.llvm_passes.clone(),
            target: Target {
                triple: self.target.clone(),
                cpu: self.cpu.clone(),
                features: self.features.clone(),
                level: self.level,
            },
            emit: match self.emit {
                EmitName::Obj | EmitName::Ninja => Emit::Object,
                EmitName::Asm => Emit::Assembly,
                EmitName::Llvm => Emit::Llvm,
                EmitName::Mlir => Emit::Mlir,
            },
            whole_program: self.whole_program,
            report: is_reporting,
            allow_unregistered: self.allow_unregistered_dialect,
            workers: self.jobs.map_or_else(processors, NonZero::get).min(1024),
            shard: self.shard.map(|Shard(shard, of)| (shard, of)),
            volume: VOLUME,
            large: LARGE,
        })
    }

    fn plan(&self, is_reporting: bool) -> String {
        let mut options = self.memplan.trim().to_owned();
        if is_reporting {
            options.push_str(&format!(" report={FOR_CALLER}"));
        }
        match options.trim() {
            "" => format!("{PREPARE},memplan"),
            options => format!("{PREPARE},memplan{{{options}}}"),
        }
    }

    /// The kind of output; an error for contradicting options.
    pub fn output_kind(&self) -> Result<OutputKind> {
        match (self.emit, self.shard) {
            (EmitName::Ninja, Some(_)) => {
                bail!(
                    "--shard and --emit ninja exclude each other: --shards N gives the number \
                of shards"
                )
            }
            (EmitName::Ninja, None) => Ok(OutputKind::Ninja(self.shards)),
            (EmitName::Obj, Some(_)) => Ok(OutputKind::Shard),
            (_, Some(_)) => bail!("--shard needs --emit obj"),
            (_, None) => Ok(OutputKind::Product),
        }
    }

    /// The path of the output.
    pub fn output(&self) -> PathBuf {
        let extension = match (self.emit, self.shard) {
            (EmitName::Obj, Some(_)) => "shard",
            (EmitName::Obj, None) => "o",
            (EmitName::Asm, _) => "s",
            (EmitName::Llvm, _) => "ll",
            (EmitName::Mlir, _) => "out.mlir",
            (EmitName::Ninja, _) => "ninja",
        };
        let given = self.output.clone();
        given.unwrap_or_else(|| default_output_path(&self.input, extension))
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
