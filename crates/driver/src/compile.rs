//! The arguments of `memplan compile`. `memplan-llvm` runs it.

use crate::files;
use anyhow::{Result, bail};
use std::{
    num::NonZero,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The largest number of shards.
pub const MOST_SHARDS: usize = 100_000;

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
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..=MOST_SHARDS as i64))]
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
    /// The form that `--emit` names.
    Product,
    /// A shard, for `memplan link`.
    Shard,
    /// A file for ninja, with so many shards.
    Ninja(u32),
}

impl Arguments {
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

/// The default path of an output: the path of the input with another extension.
fn default_output_path(input: &Path, extension: &str) -> PathBuf {
    match files::is_dash(input) {
        true => input.to_owned(),
        false => input.with_extension(extension),
    }
}
