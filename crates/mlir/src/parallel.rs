//! Work on the threads of the context.

use crate::{
    ffi,
    ir::{ContextHandle, Op},
    run_cache::{self, RunCache},
};
use std::{
    any::Any,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Mutex,
};

/// Calls `visit` for each operation of each group; one thread works on a group. An operation of one group must not be
/// nested in an operation of another.
pub fn for_each_group<'c>(
    context: ContextHandle<'_>,
    groups: &[Vec<Op<'c>>],
    visit: impl Fn(Op<'c>) + Sync,
) {
    struct SharedGroups<'a, 'c>(&'a [Vec<Op<'c>>]);
    // SAFETY: MLIR allows threads to work on isolated operations of one context; each group is visited by one thread.
    unsafe impl Sync for SharedGroups<'_, '_> {}
    let shared = SharedGroups(groups);
    let shared = &shared;
    for_each(context, groups.len(), |index| {
        let SharedGroups(groups) = shared;
        for op in &groups[index] {
            visit(*op);
        }
    });
}

/// Calls `body(i)` for each `i` below `count`, in parallel if the context is multithreaded. Diagnostics are printed
/// in the order of `i`. A panic in a body is raised again here.
pub fn for_each(context: ContextHandle<'_>, count: usize, body: impl Fn(usize) + Sync) {
    struct Work<'a> {
        body: &'a (dyn Fn(usize) + Sync),
        cache: Option<RunCache>,
        panic: Mutex<Option<Box<dyn Any + Send>>>,
    }
    unsafe extern "C" fn call(index: isize, user: *mut c_void) {
        // SAFETY: `user` is the work below, which outlives the loop.
        let work = unsafe { &*user.cast::<Work<'_>>() };
        let body = || run_cache::within(work.cache.clone(), || (work.body)(index as usize));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(body))
            && let Ok(mut slot) = work.panic.lock()
        {
            *slot = Some(panic);
        }
    }
    let work = Work {
        body: &body,
        cache: run_cache::current(),
        panic: Mutex::new(None),
    };
    // SAFETY: `call` receives `work`, and does not unwind.
    unsafe {
        ffi::memplanParallelFor(
            context.raw,
            count as isize,
            Some(call),
            (&raw const work).cast_mut().cast(),
        );
    }
    if let Ok(Some(panic)) = work.panic.into_inner() {
        resume_unwind(panic);
    }
}
