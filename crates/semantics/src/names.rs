//! Facts that depend on an operation's name alone: traits, interfaces, and its kind among the operations that memplan
//! knows by name. MLIR interns names, so they are looked up by address.

use memplan_mlir::{
    ir::Op,
    names::{NameFlags, flags, name_key, name_of},
    run_cache,
};
use rustc_hash::FxHashMap;
use std::{
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

/// Facts about an operation's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameInfo {
    flags: NameFlags,
    /// The kind among the operations that memplan knows by name.
    pub kind: OpKind,
    /// Its regions may run after the operation is done, or on another device.
    pub is_asynchronous: bool,
    /// It starts a transfer that lasts until a wait elsewhere, which only its name shows.
    pub starts_transfer: bool,
}

impl Deref for NameInfo {
    type Target = NameFlags;

    fn deref(&self) -> &NameFlags {
        &self.flags
    }
}

impl NameInfo {
    fn of(op: Op<'_>) -> Self {
        let name = name_of(op);
        Self {
            flags: flags(op),
            kind: OpKind::of(&name),
            is_asynchronous: is_asynchronous(&name),
            starts_transfer: name.ends_with(".dma_start")
                || name.contains("async")
                || name.contains(".tma."),
        }
    }

    /// Is it a call whose operands and results are those of the callee, and to which more can be added?
    pub fn is_extensible_call(self) -> bool {
        self.kind == OpKind::FuncCall
    }

    /// Does it make the enclosing function a coroutine that suspends by branches?
    pub const fn begins_coroutine_of_branches(self) -> bool {
        matches!(self.kind, OpKind::LlvmCoroutine)
    }

    /// Does it make the enclosing function a coroutine, which is left at each suspension and resumed?
    pub const fn begins_coroutine(self) -> bool {
        matches!(self.kind, OpKind::AsyncCoroutine | OpKind::LlvmCoroutine)
    }
}

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// Operations that memplan treats by name, as no interface provides what it needs to know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum OpKind {
            /// Any other operation.
            Other,
            $($variant,)*
        }

        impl OpKind {
            fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    Module = "builtin.module",
    Constant = "arith.constant",
    AndI = "arith.andi",
    OrI = "arith.ori",
    Select = "arith.select",
    Alloc = "memref.alloc",
    AllocaScope = "memref.alloca_scope",
    AsyncFunction = "async.func",
    AsyncCoroutine = "async.coro.begin",
    LlvmCoroutine = "llvm.intr.coro.begin",
    Forall = "scf.forall",
    Func = "func.func",
    FuncCall = "func.call",
    FuncReturn = "func.return",
    ScfParallel = "scf.parallel",
    GpuFunction = "gpu.func",
    GpuLaunch = "gpu.launch",
    Store = "memref.store",
    AffineIf = "affine.if",
    AffineParallel = "affine.parallel",
    ScfFor = "scf.for",
    ScfIf = "scf.if",
    AffineFor = "affine.for",
    ScfWhile = "scf.while",
    LlvmCall = "llvm.call",
    IntToPtr = "llvm.inttoptr",
    ConversionCast = "builtin.unrealized_conversion_cast",
}

/// Facts by the keys of names, shared by the passes of a pass manager.
pub(crate) type ByName<T> = RwLock<FxHashMap<usize, T>>;

/// The fact for the key of a name; the first caller computes it.
pub(crate) fn get_or_compute<T: Clone>(
    shared: &ByName<T>,
    key: usize,
    find: impl FnOnce() -> T,
) -> T {
    let known = shared.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(&key) {
        return known.clone();
    }
    drop(known);
    // Unlocked, as it may query other names.
    let found = find();
    let mut known = shared.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert(found).clone()
}

/// A cache of [`NameInfo`] by the identity of names. Belongs to one context.
#[derive(Default)]
pub struct Names {
    cache: FxHashMap<usize, NameInfo>,
    /// The facts that the running passes share, once a pass is known to run.
    shared: Option<Arc<ByName<NameInfo>>>,
}

impl Names {
    /// The facts about the name of `op`.
    pub fn info(&mut self, op: Op<'_>) -> NameInfo {
        let key = name_key(op);
        let shared = &mut self.shared;
        *self.cache.entry(key).or_insert_with(|| {
            if shared.is_none() {
                *shared = run_cache::get(op);
            }
            match shared {
                Some(shared) => get_or_compute(shared, key, || NameInfo::of(op)),
                None => NameInfo::of(op),
            }
        })
    }
}

/// In OpenMP, constructs that a team of threads executes together are synchronous; tasks and offloading are not. In
/// OpenACC, nothing is assumed to be synchronous.
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
