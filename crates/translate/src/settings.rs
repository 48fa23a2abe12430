//! What a module is to become.

use memplan_mlir::llvm::Target;
use serde::{Deserialize, Serialize};

/// In which form the result comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Emit {
    /// A relocatable ELF.
    #[default]
    Object,
    /// Assembly.
    Assembly,
    /// LLVM IR, as text.
    Llvm,
    /// What the passes leave, as text.
    Mlir,
}

/// What a module is to become, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Passes that plan a unit.
    pub plan: String,
    /// Passes that lower it to the LLVM dialect; none where those before do.
    pub lower: String,
    /// Passes of LLVM's, as `opt -passes` takes them; may be empty.
    pub llvm_passes: String,
    /// What machine code is for.
    pub target: Target,
    /// The form.
    pub emit: Emit,
    /// All functions are planned together.
    pub whole_program: bool,
    /// Plans are gathered.
    pub report: bool,
    /// Operations of dialects that nobody knows are taken.
    pub allow_unregistered: bool,
    /// Threads that translate, at least 1.
    pub workers: usize,
    /// Translate only what is in shard `.0` of `.1`.
    pub shard: Option<(usize, usize)>,
    /// Operations that a unit holds at least, if there are as many.
    pub volume: usize,
    /// Planned units of more operations are lowered in parts.
    pub large: usize,
}

/// Lowers what is left behind planning to the LLVM dialect.
pub const LOWER: &str = "\
func.func(convert-vector-to-scf,convert-linalg-to-loops,scf-forall-to-for),\
memplan-where{op=async.execute passes=async-to-async-runtime,async-runtime-ref-counting},\
expand-realloc,convert-bufferization-to-memref,expand-strided-metadata,lower-affine,convert-scf-to-cf,\
memplan-where{op=async.runtime.create passes=convert-async-to-llvm},\
convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-to-llvm,reconcile-unrealized-casts";

/// Gives each function a scope for its locations, behind the others.
pub const SCOPES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=Full}";

/// Operations in a unit.
pub const VOLUME: usize = 600;
/// Operations in a unit that is lowered in one.
pub const LARGE: usize = 4_000;
