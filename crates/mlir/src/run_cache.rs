//! Values that passes share while the pass manager runs: facts about a context that no change of the program
//! invalidates, such as those that depend on names alone.

use crate::ir::{Op, context_of};
use std::{
    any::{Any, TypeId},
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values by their types.
type ValuesByType = Mutex<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>;

/// The values of one run of a pass manager, on one context.
#[derive(Clone)]
pub(crate) struct RunCache {
    /// The address of the context, which lives as long as the run.
    context: usize,
    values: Arc<ValuesByType>,
}

thread_local! {
    /// The cache of the pass that runs on this thread.
    static CURRENT: RefCell<Option<RunCache>> = const { RefCell::new(None) };
}

impl RunCache {
    /// An empty cache for the context of an operation.
    pub(crate) fn new(op: Op<'_>) -> Self {
        Self {
            context: address(op),
            values: Arc::default(),
        }
    }
}

fn address(op: Op<'_>) -> usize {
    context_of(op).raw.ptr as usize
}

/// The shared value of this type for the passes on the context of `op`; the first caller creates it. `None` if no
/// pass runs on this thread, or one on another context.
pub fn get<T: Default + Send + Sync + 'static>(op: Op<'_>) -> Option<Arc<T>> {
    let cache = current().filter(|cache| cache.context == address(op))?;
    let mut values = cache.values.lock().unwrap_or_else(PoisonError::into_inner);
    let value = values
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Arc::new(T::default()));
    Arc::clone(value).downcast().ok()
}

/// The cache of this thread's pass, for threads that help it.
pub(crate) fn current() -> Option<RunCache> {
    CURRENT.with_borrow(Clone::clone)
}

/// Runs `work` with a cache.
pub(crate) fn within<R>(cache: Option<RunCache>, work: impl FnOnce() -> R) -> R {
    /// Restores the previous cache, after a panic as well.
    struct Restore(Option<RunCache>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _restore = Restore(CURRENT.replace(cache));
    work()
}
