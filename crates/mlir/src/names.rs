//! What an operation's name alone decides: traits, interfaces, and which of the operations that
//! memplan knows by name it is. Names are interned by MLIR, so one look-up by address does.

use crate::{ffi, ir::Op};
use mlir_sys::{mlirIdentifierStr, mlirOperationGetName};
use rustc_hash::FxHashMap;

macro_rules! flags {
    ($($(#[$doc:meta])* $method:ident = $flag:ident;)*) => {
        impl NameInfo {
            $($(#[$doc])* pub const fn $method(self) -> bool {
                self.flags & ffi::$flag as u32 != 0
            })*
        }
    };
}

/// What an operation's name decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameInfo {
    flags: u32,
    /// Which operation it is, of those that memplan knows by name.
    pub known: Known,
    /// Of the OpenMP dialect.
    pub is_openmp: bool,
    /// Its regions may still run after it is done, or on memory of another device.
    pub is_asynchronous: bool,
    /// Starts a transfer that goes on until a wait elsewhere, and says so in its name at most.
    pub starts_transfer: bool,
    /// Of the GPU dialect.
    pub is_gpu: bool,
    /// Of the vector dialect.
    pub is_vector: bool,
}

flags! {
    /// The dialect is loaded and knows the operation.
    is_registered = MEMPLAN_REGISTERED;
    /// Declares its memory effects.
    has_memory_effects = MEMPLAN_MEMORY_EFFECTS;
    /// Has the effects of what it holds.
    has_recursive_effects = MEMPLAN_RECURSIVE_EFFECTS;
    /// RegionBranchOpInterface.
    is_region_branch = MEMPLAN_REGION_BRANCH;
    /// RegionBranchTerminatorOpInterface.
    is_region_terminator = MEMPLAN_REGION_TERMINATOR;
    /// BranchOpInterface.
    is_branch = MEMPLAN_BRANCH;
    /// LoopLikeOpInterface.
    is_loop = MEMPLAN_LOOP_LIKE;
    /// ViewLikeOpInterface.
    is_view = MEMPLAN_VIEW_LIKE;
    /// CallOpInterface.
    is_call = MEMPLAN_CALL;
    /// FunctionOpInterface.
    is_function = MEMPLAN_FUNCTION;
    /// AutomaticAllocationScope.
    is_allocation_scope = MEMPLAN_ALLOCATION_SCOPE;
    /// HasParallelRegion.
    has_parallel_region = MEMPLAN_PARALLEL_REGION;
    /// IsolatedFromAbove.
    is_isolated = MEMPLAN_ISOLATED;
    /// IsTerminator.
    is_terminator = MEMPLAN_TERMINATOR;
    /// ReturnLike.
    is_return = MEMPLAN_RETURN_LIKE;
    /// SymbolTable.
    is_symbol_table = MEMPLAN_SYMBOL_TABLE;
    /// BufferDeallocationOpInterface.
    has_deallocation_model = MEMPLAN_DEALLOCATION_MODEL;
    /// SymbolUserOpInterface.
    is_symbol_user = MEMPLAN_SYMBOL_USER;
}

impl NameInfo {
    /// May store what it is given where a symbol says, if it writes.
    pub fn may_store_by_symbol(self) -> bool {
        self.is_symbol_user() && !self.is_call() && self.known != Known::GpuLaunchFunction
    }

    /// Has a model of BufferDeallocationOpInterface that is none of upstream's own five.
    pub fn has_foreign_model(self) -> bool {
        const UPSTREAM: [Known; 5] = [
            Known::Select,
            Known::CondBranch,
            Known::ForallInParallel,
            Known::GpuTerminator,
            Known::ScfReduceReturn,
        ];
        self.has_deallocation_model() && !UPSTREAM.contains(&self.known)
    }
}

macro_rules! known {
    ($($variant:ident = $name:literal,)*) => {
        /// Operations that memplan treats by name, because no interface says what it must know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Known {
            /// None of these.
            Other,
            $($variant,)*
        }

        impl Known {
            fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

known! {
    Module = "builtin.module",
    Constant = "arith.constant",
    AddI = "arith.addi",
    AndI = "arith.andi",
    CmpI = "arith.cmpi",
    DivUI = "arith.divui",
    MaxSI = "arith.maxsi",
    MinSI = "arith.minsi",
    MulI = "arith.muli",
    OrI = "arith.ori",
    Select = "arith.select",
    SubI = "arith.subi",
    XOrI = "arith.xori",
    Alloc = "memref.alloc",
    Alloca = "memref.alloca",
    AllocaScope = "memref.alloca_scope",
    Copy = "memref.copy",
    Dim = "memref.dim",
    DistinctObjects = "memref.distinct_objects",
    ExtractPointer = "memref.extract_aligned_pointer_as_index",
    GetGlobal = "memref.get_global",
    Realloc = "memref.realloc",
    ReinterpretCast = "memref.reinterpret_cast",
    Fill = "linalg.fill",
    View = "memref.view",
    Clone = "bufferization.clone",
    BufferizationDealloc = "bufferization.dealloc",
    AsyncExecute = "async.execute",
    AsyncFunction = "async.func",
    AsyncCoroutine = "async.coro.begin",
    LlvmCoroutine = "llvm.intr.coro.begin",
    CondBranch = "cf.cond_br",
    AffineYield = "affine.yield",
    ScfYield = "scf.yield",
    Forall = "scf.forall",
    ForallInParallel = "scf.forall.in_parallel",
    Func = "func.func",
    FuncCall = "func.call",
    FuncReturn = "func.return",
    ScfParallel = "scf.parallel",
    ScfReduce = "scf.reduce",
    ScfReduceReturn = "scf.reduce.return",
    GpuFunction = "gpu.func",
    GpuLaunch = "gpu.launch",
    GpuLaunchFunction = "gpu.launch_func",
    GpuTerminator = "gpu.terminator",
    Load = "memref.load",
    Store = "memref.store",
    AffineIf = "affine.if",
    Unreachable = "ub.unreachable",
    LlvmUnreachable = "llvm.unreachable",
    AffineParallel = "affine.parallel",
    ScfExecuteRegion = "scf.execute_region",
    ScfFor = "scf.for",
    ScfIf = "scf.if",
    AffineFor = "affine.for",
    ScfIndexSwitch = "scf.index_switch",
    ScfWhile = "scf.while",
}

/// A cache of [`NameInfo`] by the identity of names. Belongs to one context.
#[derive(Default)]
pub struct Names {
    cache: FxHashMap<usize, NameInfo>,
}

impl Names {
    /// What the name of `op` decides.
    pub fn info(&mut self, op: Op<'_>) -> NameInfo {
        let key = name_key(op);
        *self.cache.entry(key).or_insert_with(|| {
            // SAFETY: a live operation; the text is copied.
            let (flags, name) = unsafe {
                (
                    ffi::memplanOperationNameFlags(op.to_raw()),
                    crate::text::copy(mlirIdentifierStr(mlirOperationGetName(op.to_raw()))),
                )
            };
            NameInfo {
                flags,
                known: Known::of(&name),
                is_openmp: name.starts_with("omp."),
                is_gpu: name.starts_with("gpu."),
                is_vector: name.starts_with("vector."),
                is_asynchronous: is_asynchronous(&name),
                starts_transfer: name.ends_with(".dma_start")
                    || name.contains("async")
                    || name.contains(".tma."),
            }
        })
    }

    /// True if the bodies of `op` run at the same time as each other or as what follows `op`:
    /// parallel loops, OpenMP, GPU launches, asynchronous regions.
    pub fn runs_in_parallel(&mut self, op: Op<'_>) -> bool {
        let info = self.info(op);
        info.has_parallel_region()
            || info.is_openmp
            || matches!(
                info.known,
                Known::AsyncExecute | Known::GpuLaunch | Known::AffineParallel
            )
    }
}

/// Of OpenMP, what threads do together before they go on is synchronous, tasks and offloading are
/// not; of OpenACC, nothing is taken to be.
fn is_asynchronous(name: &str) -> bool {
    const SYNCHRONOUS: [&str; 11] = [
        "parallel",
        "wsloop",
        "loop_nest",
        "simd",
        "sections",
        "section",
        "single",
        "master",
        "masked",
        "critical",
        "ordered.region",
    ];
    match name.split_once('.') {
        Some(("omp", rest)) => !SYNCHRONOUS.contains(&rest),
        Some(("acc", _)) => true,
        _ => name == "async.execute",
    }
}

/// The identity of an operation's name.
pub fn name_key(op: Op<'_>) -> usize {
    // SAFETY: a live operation.
    unsafe { mlirOperationGetName(op.to_raw()).ptr as usize }
}
