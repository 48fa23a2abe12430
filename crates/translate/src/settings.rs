//! Settings of compilation.

use memplan_mlir::llvm::Target;
use serde::{Deserialize, Serialize};

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Emit {
    /// A relocatable ELF object file.
    #[default]
    Object,
    /// Assembly.
    Assembly,
    /// LLVM IR, as text.
    Llvm,
    /// The module after all passes, as MLIR text.
    Mlir,
}

/// Settings of compilation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Passes that plan a partition.
    pub plan: String,
    /// Passes that lower a partition to the LLVM dialect; empty if `plan` does so.
    pub lower: String,
    /// LLVM passes, in the syntax of `opt -passes`; may be empty.
    pub llvm_passes: String,
    /// The target of machine code.
    pub target: Target,
    /// The output format.
    pub emit: Emit,
    /// Whether all functions are planned together.
    pub whole_program: bool,
    /// Whether plans are collected for the report.
    pub report: bool,
    /// Whether operations of unregistered dialects are allowed.
    pub allow_unregistered: bool,
    /// The number of worker threads, at least 1.
    pub workers: usize,
    /// Compile only shard `.0` of `.1`.
    pub shard: Option<(usize, usize)>,
    /// The minimum number of operations in a partition, if the module has as many.
    pub volume: usize,
    /// Planned partitions with more operations are split for lowering.
    pub large: usize,
}

/// The passes that lower a planned module to the LLVM dialect.
pub const LOWER: &str = "\
func.func(convert-vector-to-scf,convert-linalg-to-loops,scf-forall-to-for),\
memplan-where{op=async.execute passes=async-to-async-runtime,async-runtime-ref-counting},\
expand-realloc,convert-bufferization-to-memref,expand-strided-metadata,lower-affine,convert-scf-to-cf,\
memplan-where{op=async.runtime.create passes=convert-async-to-llvm},\
convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-to-llvm,reconcile-unrealized-casts";

/// The pass that gives each function a scope for its locations, after the others.
pub const SCOPES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=Full}";

/// The default of [`Settings::volume`].
pub const VOLUME: usize = 600;
/// The default of [`Settings::large`].
pub const LARGE: usize = 4_000;
