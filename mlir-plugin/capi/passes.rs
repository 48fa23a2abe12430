//! `memplan-c/Passes.h`: passes and pipelines by name.

use super::{borrow, copy};
use memplan_mlir::create::{CreateError, raw_pass, raw_pipeline};
use mlir_sys::{MlirLogicalResult, MlirOpPassManager, MlirPass, MlirStringRef};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A callback for errors.
type ErrorCallback = Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>;

/// Reports an error to the callback, or on standard error if that is null.
///
/// # Safety
///
/// The callback may be called with `user`.
pub(super) unsafe fn report_error(what: &str, error: ErrorCallback, user: *mut c_void) {
    match error {
        // SAFETY: the caller's promise; the text outlives the call.
        Some(error) => unsafe { error(borrow(what), user) },
        None => eprintln!("{what}"),
    }
}

/// The result of `work`; errors are reported.
///
/// # Safety
///
/// As for [`report_error`].
unsafe fn or_report<T>(
    work: impl FnOnce() -> Result<T, CreateError>,
    error: ErrorCallback,
    user: *mut c_void,
) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(work));
    let message = match result {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(why)) => why.to_string(),
        Err(_) => "memplan: internal error".to_owned(),
    };
    // SAFETY: the caller's promise.
    unsafe { report_error(&message, error, user) };
    None
}

/// Registers all passes and pipelines with MLIR. If the process has another LLVM than the one that memplan was built
/// with, returns false and prints the reason to standard error.
#[unsafe(no_mangle)]
pub extern "C" fn memplanRegisterPasses() -> bool {
    let result = catch_unwind(crate::register_all);
    match result {
        Ok(Ok(())) => return true,
        Ok(Err(problem)) => eprintln!("{problem}"),
        Err(_) => eprintln!("memplan: internal error while registering passes"),
    }
    false
}

/// Creates a pass by its name. Null, and a report to `error`, if there is no such pass or the options are invalid.
///
/// # Safety
///
/// The strings are as long as they say; `error` is null or may be called with `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanCreatePass(
    name: MlirStringRef,
    options: MlirStringRef,
    error: ErrorCallback,
    user: *mut c_void,
) -> MlirPass {
    let make = || {
        // SAFETY: the caller's promise.
        let (name, options) = unsafe { (copy(name), copy(options)) };
        raw_pass(&name, &options)
    };
    // SAFETY: the caller's promise.
    let pass = unsafe { or_report(make, error, user) };
    pass.unwrap_or(MlirPass {
        ptr: std::ptr::null_mut(),
    })
}

/// Adds the passes of a pipeline to a pass manager. A failure, and a report to `error`, if there is no such pipeline
/// or the options are invalid.
///
/// # Safety
///
/// As for [`memplanCreatePass`], and the pass manager is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanBuildPipeline(
    manager: MlirOpPassManager,
    name: MlirStringRef,
    options: MlirStringRef,
    error: ErrorCallback,
    user: *mut c_void,
) -> MlirLogicalResult {
    let build = || {
        // SAFETY: the caller's promise.
        unsafe { raw_pipeline(manager, &copy(name), &copy(options)) }
    };
    // SAFETY: the caller's promise.
    let built = unsafe { or_report(build, error, user) };
    MlirLogicalResult {
        value: i8::from(built.is_some()),
    }
}
