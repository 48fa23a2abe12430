//! What passes share as long as the pass manager runs: what is found out once of a context, and what no change of the
//! program changes, such as what names decide.

use crate::ir::{Op, context_of};
use std::{
    any::{Any, TypeId},
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values by their types.
type Values = Mutex<BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>>;

/// The values of one run of a pass manager, which is on one context.
#[derive(Clone)]
pub(crate) struct Shared {
    /// The address of the context, which lives as long as the run.
    context: usize,
    values: Arc<Values>,
}

thread_local! {
    /// Of the pass that works on this thread.
    static CURRENT: RefCell<Option<Shared>> = const { RefCell::new(None) };
}

impl Shared {
    /// Nothing yet, of the context of an operation.
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

/// What all that works for the passes on the context of `op` shares, made by the first that asks. `None` where no pass
/// runs on this thread, or one on another context.
pub fn of_run<T: Default + Send + Sync + 'static>(op: Op<'_>) -> Option<Arc<T>> {
    let shared = current().filter(|shared| shared.context == address(op))?;
    let mut values = shared.values.lock().unwrap_or_else(PoisonError::into_inner);
    let value = values
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Arc::new(T::default()));
    Arc::clone(value).downcast().ok()
}

/// What this thread's work shares; for threads that help it.
pub(crate) fn current() -> Option<Shared> {
    CURRENT.with_borrow(Clone::clone)
}

/// Work that shares this with others.
pub(crate) fn within<R>(shared: Option<Shared>, work: impl FnOnce() -> R) -> R {
    /// Puts back what was there before, after a panic as well.
    struct Before(Option<Shared>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Before(CURRENT.replace(shared));
    work()
}
