//! One run of a pass, and the values that passes cache for each other.

use super::values::OptionValues;
use crate::{ffi, ir::Op, run_cache::RunCache};
use std::{
    any::Any,
    cell::RefCell,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// One run of a pass on one operation.
pub struct Run<'c> {
    /// The operation that the pass runs on.
    pub op: Op<'c>,
    /// The options.
    pub values: OptionValues,
    pub(super) raw: *mut ffi::MemplanRun,
    /// What was added to each statistic.
    pub(super) counted: RefCell<Vec<u64>>,
}

impl<'c> Run<'c> {
    /// Adds to a statistic, given by its index in the declaration.
    pub fn count(&self, statistic: usize, amount: u64) {
        self.counted.borrow_mut()[statistic] += amount;
        // SAFETY: `raw` is the pass that is running; the index is below the declaration's count.
        unsafe { ffi::memplanRunAddStatistic(self.raw, statistic as isize, amount) }
    }

    /// Preserves all analyses, as nothing was changed.
    pub fn preserve_all(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveAll(self.raw) }
    }

    /// Takes the value of this type that an earlier pass cached for `op`, which is the operation of the run or nested
    /// in it.
    pub fn take_cached<T: Send + 'static>(&self, op: Op<'c>) -> Option<T> {
        // SAFETY: as above; a live operation.
        let slot = CachedAnalysis(unsafe { ffi::memplanRunCachedAnalysis(self.raw, op.to_raw()) });
        let taken = slot.take()?;
        taken.downcast().ok().map(|value| *value)
    }

    /// Caches a value for `op`, which is the operation of the run or nested in it. It stays until a pass runs that
    /// does not preserve it.
    pub fn cache<T: Send + 'static>(&self, op: Op<'c>, value: T) {
        // SAFETY: as above; a live operation.
        let slot = CachedAnalysis(unsafe { ffi::memplanRunCachedAnalysis(self.raw, op.to_raw()) });
        slot.put(Box::new(value));
    }

    /// Preserves the cached values. Not for passes that create or erase operations with cached values.
    pub fn preserve_cached(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveCachedAnalysis(self.raw) }
    }

    /// The cache that passes on this operation share while the pass manager runs.
    pub(super) fn run_cache(&self) -> RunCache {
        // SAFETY: as above.
        CachedAnalysis(unsafe { ffi::memplanRunSharedCache(self.raw) })
            .get_or_insert_with(|| RunCache::new(self.op))
    }
}

/// The slot of an MLIR analysis that holds a cached value.
struct CachedAnalysis(*mut ffi::MemplanCachedAnalysis);

/// The pointee of a slot's value: a thin pointer to a fat one.
type CachedValue = Box<dyn Any + Send>;

unsafe extern "C" fn drop_cached(value: *mut c_void) {
    // SAFETY: allocated by `put`, and dropped once. A panic in a destructor is caught.
    let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
        drop(Box::from_raw(value.cast::<CachedValue>()));
    }));
}

impl CachedAnalysis {
    fn take(&self) -> Option<CachedValue> {
        // SAFETY: the analysis lives as long as the run, and only one thread uses it.
        let slot = unsafe { &mut *self.0 };
        let value = std::mem::replace(&mut slot.value, std::ptr::null_mut());
        // SAFETY: allocated by `put`, and taken once.
        (!value.is_null()).then(|| *unsafe { Box::from_raw(value.cast::<CachedValue>()) })
    }

    fn put(&self, value: CachedValue) {
        drop(self.take());
        // SAFETY: as in `take`.
        let slot = unsafe { &mut *self.0 };
        slot.value = Box::into_raw(Box::new(value)).cast();
        slot.drop = Some(drop_cached);
    }

    /// A clone of the cached value; `make` computes it if there is none.
    fn get_or_insert_with<T: Clone + Send + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let known: Option<Box<T>> = self.take().and_then(|value| value.downcast().ok());
        let value = known.map_or_else(make, |value| *value);
        self.put(Box::new(value.clone()));
        value
    }
}
