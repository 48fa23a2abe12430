//! What an operation's name alone decides: traits, interfaces, and which of the operations that
//! memplan knows by name it is. Names are interned by MLIR, so one look-up by address does.

use memplan_mlir::{
    ir::Op,
    names::{NameFlags, flags, name_key, name_of},
    shared,
};
use rustc_hash::FxHashMap;
use std::{
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

/// What an operation's name decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameInfo {
    flags: NameFlags,
    /// Which operation it is, of those that memplan knows by name.
    pub kind: OpKind,
    /// Its regions may still run after it is done, or on memory of another device.
    pub is_asynchronous: bool,
    /// Starts a transfer that goes on until a wait elsewhere, and says so in its name at most.
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

    /// A call whose operands and results are the callee's arguments and results, and that may get more.
    pub fn is_extensible_call(self) -> bool {
        self.kind == OpKind::FuncCall
    }

    /// Makes the function around it a coroutine that leaves by branches like any other, and comes back.
    pub const fn begins_coroutine_of_branches(self) -> bool {
        matches!(self.kind, OpKind::LlvmCoroutine)
    }

    /// Makes the function around it a coroutine, which leaves at each suspension and comes back.
    pub const fn begins_coroutine(self) -> bool {
        matches!(self.kind, OpKind::AsyncCoroutine | OpKind::LlvmCoroutine)
    }
}

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// Operations that memplan treats by name, because no interface says what it must know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum OpKind {
            /// None of these.
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

/// What is known by the keys of names, shared by all that works for the passes of a pass manager.
pub(crate) type ByName<T> = RwLock<FxHashMap<usize, T>>;

/// What is known by the key of a name, found out by the first that asks.
pub(crate) fn once<T: Clone>(shared: &ByName<T>, key: usize, find: impl FnOnce() -> T) -> T {
    let known = shared.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(&key) {
        return known.clone();
    }
    drop(known);
    // Unlocked: it may ask for others.
    let found = find();
    let mut known = shared.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert(found).clone()
}

/// A cache of [`NameInfo`] by the identity of names. Belongs to one context.
#[derive(Default)]
pub struct Names {
    cache: FxHashMap<usize, NameInfo>,
    /// Of the passes that run, as soon as it is known that there are some.
    shared: Option<Arc<ByName<NameInfo>>>,
}

impl Names {
    /// What the name of `op` decides.
    pub fn info(&mut self, op: Op<'_>) -> NameInfo {
        let key = name_key(op);
        let shared = &mut self.shared;
        *self.cache.entry(key).or_insert_with(|| {
            if shared.is_none() {
                *shared = shared::of_run(op);
            }
            match shared {
                Some(shared) => once(shared, key, || NameInfo::of(op)),
                None => NameInfo::of(op),
            }
        })
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
