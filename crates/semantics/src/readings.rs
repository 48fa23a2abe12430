//! The functions of a pass, as they were read by passes before.

use crate::{reading::Reading, semantics::Semantics};
use memplan_mlir::{
    changes,
    ir::{Identity, Key, Op, parent, symbol_name},
    pass::Run,
    shared,
};
use rustc_hash::FxHashMap;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

/// How often a function has been read, now and later.
#[derive(Clone, Debug, Default)]
pub struct TimesRead(Arc<AtomicU32>);

impl TimesRead {
    /// So far.
    pub fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// By the names of functions below the operation that a pass manager runs on.
type Counts = Mutex<FxHashMap<String, TimesRead>>;

/// The functions of a run, as they were read. Passes that do not read through it drop what was read. By default, none.
#[derive(Default)]
pub struct Readings {
    of: FxHashMap<Key, One>,
    /// What is read of functions that the pass changes is kept, too.
    with_changed: bool,
    changed: AtomicBool,
}

#[derive(Default)]
struct One {
    reading: Mutex<Option<Reading>>,
    times: TimesRead,
}

impl Readings {
    /// Takes what passes before have left of `functions`, which are at or below the operation of the run.
    pub fn of<'c>(run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) -> Self {
        Self::new(run, functions, false)
    }

    /// The same, for a pass that looks at functions again when it has changed them.
    pub fn with_changed<'c>(run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) -> Self {
        Self::new(run, functions, true)
    }

    fn new<'c>(
        run: &Run<'c>,
        functions: impl IntoIterator<Item = Op<'c>>,
        with_changed: bool,
    ) -> Self {
        let counts: Arc<Counts> = shared::of_run(run.op).unwrap_or_default();
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let of = functions.into_iter().map(|function| {
            let one = One {
                reading: Mutex::new(run.take(function)),
                times: counts.entry(path(function, run.op)).or_default().clone(),
            };
            (function.key(), one)
        });
        let of = of.collect();
        Self {
            of,
            with_changed,
            changed: AtomicBool::new(false),
        }
    }

    /// Looks at a function, which is not read again where that has been done. Its answers are for this thread.
    pub fn with<R>(&self, function: Op<'_>, look: impl FnOnce(&mut Semantics) -> R) -> R {
        let changes = changes::count();
        let result = match self.of.get(&function.key()) {
            Some(one) => self.look(one, function, look),
            None => look(&mut Semantics::keeping()),
        };
        if changes::count() != changes {
            self.changed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn look<R>(&self, one: &One, function: Op<'_>, look: impl FnOnce(&mut Semantics) -> R) -> R {
        let mut reading = one.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let known = reading.take().and_then(|reading| reading.of(function));
        let is_known = known.is_some();
        let mut semantics = known.unwrap_or_else(Semantics::keeping);
        let result = look(&mut semantics);
        if !is_known && !semantics.was_asked() {
            return result;
        }
        if !is_known {
            one.times.0.fetch_add(1, Ordering::Relaxed);
        }
        if self.with_changed || !semantics.is_changed() {
            *reading = Some(semantics.into_reading(function));
        }
        result
    }

    /// Has something been changed by those who looked?
    pub fn are_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// How often a function has been read.
    pub fn times(&self, function: Op<'_>) -> TimesRead {
        let one = self.of.get(&function.key());
        one.map(|one| one.times.clone()).unwrap_or_default()
    }

    /// Leaves what was read to passes that come next. All functions must be there still, and no others.
    pub fn leave<'c>(mut self, run: &Run<'c>, functions: impl IntoIterator<Item = Op<'c>>) {
        for function in functions {
            let Some(one) = self.of.remove(&function.key()) else {
                continue;
            };
            let reading = one.reading.into_inner();
            if let Some(reading) = reading.unwrap_or_else(PoisonError::into_inner) {
                run.leave(function, reading);
            }
        }
        run.preserve_left();
    }
}

/// The names of a function and of what holds it, below `root`.
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
