//! The cached facts about the functions of a pass, from earlier passes.

use crate::{alignment::relies_on_alignment, functions, reading::Reading, semantics::Semantics};
use memplan_mlir::{
    changes,
    ir::{Identity, Key, Op, parent, symbol_name},
    pass::Run,
    run_cache,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

/// How often a function has been read; the count is shared and still grows.
#[derive(Clone, Debug, Default)]
pub struct TimesRead(Arc<History>);

/// What the passes of a pass manager have done to a function so far.
#[derive(Debug, Default)]
struct History {
    read: AtomicU32,
    changed: AtomicBool,
}

impl TimesRead {
    /// The count so far.
    pub fn get(&self) -> u32 {
        self.0.read.load(Ordering::Relaxed)
    }

    fn set_changed(&self) {
        self.0.changed.store(true, Ordering::Relaxed);
    }

    fn is_changed(&self) -> bool {
        self.0.changed.load(Ordering::Relaxed)
    }
}

/// Counts by the names of functions below the operation that a pass manager runs on.
type Counts = Mutex<FxHashMap<String, TimesRead>>;

/// The cached facts about the functions of a run; empty by default. A pass that does not use it drops the facts.
#[derive(Default)]
pub struct Readings {
    of: FxHashMap<Key, CachedReading>,
    /// Facts about functions that the pass changes are kept, too.
    with_changed: bool,
    changed: AtomicBool,
    /// Whether no function with a body relies on more alignment than that of a type.
    callees_need_no_alignment: bool,
}

#[derive(Default)]
struct CachedReading {
    reading: Mutex<Option<Reading>>,
    times: TimesRead,
    /// Whether passes before this one have changed the function.
    is_rewritten: bool,
}

impl Readings {
    /// Takes the facts that earlier passes cached about `functions`, which are at or below the operation of the run.
    pub fn of<'c>(run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) -> Self {
        Self::new(run, functions, false)
    }

    /// As [`Readings::of`], for a pass that queries functions again after it changed them.
    pub fn with_changed<'c>(run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) -> Self {
        Self::new(run, functions, true)
    }

    fn new<'c>(
        run: &Run<'c>,
        functions: impl IntoIterator<Item = Op<'c>>,
        with_changed: bool,
    ) -> Self {
        let counts: Arc<Counts> = run_cache::get(run.op).unwrap_or_default();
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let functions: Vec<Op<'c>> = functions.into_iter().collect();
        // Other threads may change the callees of a single function.
        let is_module = !functions
            .iter()
            .any(|function| function.key() == run.op.key());
        let mut semantics = Semantics::default();
        let callees_need_no_alignment = is_module
            && (functions.len() < 2
                || !functions
                    .iter()
                    .any(|function| relies_on_alignment(*function, &mut semantics)));
        let of = functions.into_iter().map(|function| {
            let times = counts.entry(path(function, run.op)).or_default();
            let one = CachedReading {
                reading: Mutex::new(run.take_cached(function)),
                is_rewritten: times.is_changed(),
                times: times.clone(),
            };
            (function.key(), one)
        });
        let of = of.collect();
        Self {
            of,
            with_changed,
            changed: AtomicBool::new(false),
            callees_need_no_alignment,
        }
    }

    /// Calls `look` with the cached facts about a function, which is read only if there are none. The facts are for
    /// this thread.
    pub fn with<R>(&self, function: Op<'_>, look: impl FnOnce(&mut Semantics) -> R) -> R {
        let changes = changes::count();
        let result = match self.of.get(&function.key()) {
            Some(one) => self.look(one, function, look),
            None => {
                let mut semantics = Semantics::caching();
                semantics.callees_need_no_alignment = self.callees_need_no_alignment;
                look(&mut semantics)
            }
        };
        if changes::count() != changes {
            self.changed.store(true, Ordering::Relaxed);
            if let Some(one) = self.of.get(&function.key()) {
                one.times.set_changed();
            }
        }
        result
    }

    fn look<R>(
        &self,
        one: &CachedReading,
        function: Op<'_>,
        look: impl FnOnce(&mut Semantics) -> R,
    ) -> R {
        let mut reading = one.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let known = reading.take().and_then(|reading| reading.of(function));
        let is_known = known.is_some();
        let mut semantics = known.unwrap_or_else(Semantics::caching);
        semantics.callees_need_no_alignment = self.callees_need_no_alignment;
        let result = look(&mut semantics);
        if !is_known && !semantics.has_cached_facts() {
            return result;
        }
        if !is_known {
            one.times.0.read.fetch_add(1, Ordering::Relaxed);
        }
        if self.with_changed || !semantics.is_changed() {
            *reading = Some(semantics.into_reading(function));
        }
        result
    }

    /// Forgets the facts about the functions around an operation, and about the operation: they are changed outside of
    /// [`with`](Self::with).
    pub fn forget(&self, op: Op<'_>) {
        self.changed.store(true, Ordering::Relaxed);
        let mut at = Some(op);
        while let Some(op) = at {
            if let Some(one) = self.of.get(&op.key()) {
                *one.reading.lock().unwrap_or_else(PoisonError::into_inner) = None;
                one.times.set_changed();
            }
            at = parent(op);
        }
    }

    /// Has a caller of [`with`](Self::with) changed the IR?
    pub fn are_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// How often a function has been read.
    pub fn times(&self, function: Op<'_>) -> TimesRead {
        let one = self.of.get(&function.key());
        one.map(|one| one.times.clone()).unwrap_or_default()
    }

    /// Whether passes that ran before in this pass manager have changed a function; `None` if that is not known.
    pub fn is_rewritten(&self, function: Op<'_>) -> Option<bool> {
        self.of.get(&function.key()).map(|one| one.is_rewritten)
    }

    /// Caches the facts for later passes. All functions must still exist, and no others.
    pub fn save<'c>(mut self, run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) {
        for function in functions {
            let Some(one) = self.of.remove(&function.key()) else {
                continue;
            };
            let reading = one.reading.into_inner();
            if let Some(reading) = reading.unwrap_or_else(PoisonError::into_inner) {
                run.cache(function, reading);
            }
        }
        run.preserve_cached();
    }
}

/// Records that a pass on `root`, or on an operation around it, changed a function.
pub fn record_rewritten(root: Op<'_>, function: Op<'_>) {
    let counts: Arc<Counts> = run_cache::get(root).unwrap_or_default();
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    counts
        .entry(path(function, root))
        .or_default()
        .set_changed();
}

/// The functions that a pass without [`Readings`] changes.
#[derive(Default)]
pub struct Rewritten(Mutex<FxHashSet<Key>>);

impl Rewritten {
    /// Does work on a function.
    pub fn visit<R>(&self, function: Op<'_>, work: impl FnOnce() -> R) -> R {
        let changes = changes::count();
        let result = work();
        if changes::count() != changes {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(function.key());
        }
        result
    }

    /// Records which functions at or below `root` were changed, for later passes.
    pub fn record(self, root: Op<'_>) {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let functions = functions::groups(root).into_iter().flatten();
        for function in functions.filter(|function| all.contains(&function.key())) {
            record_rewritten(root, function);
        }
    }
}

/// The names of a function and of the operations around it, below `root`.
fn path(function: Op<'_>, root: Op<'_>) -> String {
    let mut path = symbol_name(function);
    let mut at = function;
    while at.key() != root.key()
        && let Some(around) = parent(at)
    {
        path.push('/');
        path.push_str(&symbol_name(around));
        at = around;
    }
    path
}
