//! `memplan-c/Passes.h`: passes and pipelines by name.

use super::{borrow, copy};
use memplan_mlir::create::{CreateError, raw_pass, raw_pipeline};
use mlir_sys::{MlirLogicalResult, MlirOpPassManager, MlirPass, MlirStringRef};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Hears of an error.
type Listener = Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>;

/// Says what is wrong to whoever listens, or on standard error.
///
/// # Safety
///
/// The listener may be called with `user`.
pub(super) unsafe fn tell(what: &str, error: Listener, user: *mut c_void) {
    match error {
        // SAFETY: the caller's promise; the text outlives the call.
        Some(error) => unsafe { error(borrow(what), user) },
        None => eprintln!("{what}"),
    }
}

/// What `work` gives; what goes wrong is told.
///
/// # Safety
///
/// As for [`tell`].
unsafe fn told<T>(
    work: impl FnOnce() -> Result<T, CreateError>,
    error: Listener,
    user: *mut c_void,
) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(work));
    let said = match result {
        Ok(Ok(made)) => return Some(made),
        Ok(Err(why)) => why.to_string(),
        Err(_) => "memplan: internal error".to_owned(),
    };
    // SAFETY: the caller's promise.
    unsafe { tell(&said, error, user) };
    None
}

/// Makes all passes and pipelines known to MLIR. False, and why on standard error, where the process has another LLVM
/// than the one that memplan was built with.
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

/// A pass by its name; null where that or the options are none, and then `error` is told.
///
/// # Safety
///
/// The texts are as long as they say; `error` is null or may be called with `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanCreatePass(
    name: MlirStringRef,
    options: MlirStringRef,
    error: Listener,
    user: *mut c_void,
) -> MlirPass {
    let make = || {
        // SAFETY: the caller's promise.
        let (name, options) = unsafe { (copy(name), copy(options)) };
        raw_pass(&name, &options)
    };
    // SAFETY: the caller's promise.
    let made = unsafe { told(make, error, user) };
    made.unwrap_or(MlirPass {
        ptr: std::ptr::null_mut(),
    })
}

/// Adds the passes of a pipeline to a pass manager; a failure where the name or the options are none, and then
/// `error` is told.
///
/// # Safety
///
/// As above, and the pass manager is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanBuildPipeline(
    manager: MlirOpPassManager,
    name: MlirStringRef,
    options: MlirStringRef,
    error: Listener,
    user: *mut c_void,
) -> MlirLogicalResult {
    let build = || {
        // SAFETY: the caller's promise.
        unsafe { raw_pipeline(manager, &copy(name), &copy(options)) }
    };
    // SAFETY: the caller's promise.
    let built = unsafe { told(build, error, user) };
    MlirLogicalResult {
        value: i8::from(built.is_some()),
    }
}
