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

/// The passes before `memplan`: they lower operations on memrefs that allocate.
pub const PREPARE: &str =
    "memplan-where{op=sparse_tensor.push_back,sparse_tensor.sort passes=sparse-buffer-rewrite}";

/// The passes that lower a planned module to the LLVM dialect.
///
/// Passes that most modules do not need run where an operation of theirs is. Masks are lowered before transfers, whose
/// masks they become, and after reductions, which may be masked. Coroutines are written after control flow that waits became
/// branches, and hand each other pointers. Copies are expanded after passes that write copies, and
/// before `expand-strided-metadata`.
pub const LOWER: &str = "\
memplan-where{op=vector.multi_reduction \
passes=func.func(lower-vector-multi-reduction{lowering-strategy=inner-reduction})},\
memplan-where{op=vector.mask passes=memplan-expand-ops,func.func(lower-vector-mask)},\
func.func(convert-vector-to-scf,convert-linalg-to-loops,scf-forall-to-for),\
memplan-where{op=async.execute,async.func,async.await,async.await_all,async.create_group \
passes=lower-affine,memplan-expand-ops,async-func-to-async-runtime,async-to-async-runtime,async-runtime-ref-counting},\
expand-realloc,convert-bufferization-to-memref,memplan-expand-ops,\
memplan-where{op=memref.reshape,memref.atomic_rmw passes=memref-expand},\
expand-strided-metadata,lower-affine,convert-scf-to-cf,\
memplan-where{op=async.* passes=memplan-expand-ops,convert-async-to-llvm},\
memplan-where{op=complex.* passes=convert-complex-to-standard,memplan-expand-ops},\
memplan-where{op=arith.scaling_extf,arith.scaling_truncf passes=memplan-expand-ops,\
arith-expand{include-f8e8m0=true include-f4e2m1=true}},\
memplan-where{op=arith.extf,arith.truncf type=f8E8M0FNU,f4E2M1FN passes=memplan-expand-ops,\
arith-expand{include-f8e8m0=true include-f4e2m1=true}},\
memplan-where{op=math.clampf passes=math-expand-ops{ops=clampf}},\
memplan-where{op=math.fpowi,math.ipowi passes=convert-math-to-funcs{min-width-of-fpowi-exponent=1 convert-ctlz=false}},\
memplan-where{op=x86vector.* passes=convert-vector-to-llvm{enable-x86vector}},\
memplan-where{op=amx.* passes=convert-vector-to-llvm{enable-amx}},\
convert-vector-to-llvm,\
memplan-where{op=vector.contract passes=convert-vector-to-llvm{vector-contract-lowering=outerproduct}},\
convert-math-to-llvm,convert-math-to-libm,convert-to-llvm,reconcile-unrealized-casts";

/// The pass that gives each function a scope for its locations, after the others.
pub const SCOPES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=Full}";

/// The default of [`Settings::volume`].
pub const VOLUME: usize = 600;
/// The default of [`Settings::large`].
pub const LARGE: usize = 4_000;
