//! The C API, as `include/memplan-c` declares it. No panic leaves it.

mod operations;
mod passes;
mod planner;

use mlir_sys::MlirStringRef;
use std::ffi::{CStr, c_char, c_void};

/// The argument for a callback. Whoever registers the callback promises that any thread may use it.
#[derive(Clone, Copy)]
struct UserData(*mut c_void);

// SAFETY: the promise above, which the headers ask for.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    /// A method, so that closures capture the whole struct, not only the pointer.
    const fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// Copies a string of the caller.
///
/// # Safety
///
/// The string is as long as it says.
unsafe fn copy(text: MlirStringRef) -> String {
    if text.length == 0 {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn borrow(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// The error that a callback returned, if any.
///
/// # Safety
///
/// Null, or a string that ends in a zero.
unsafe fn callback_error(text: *const c_char) -> Result<(), String> {
    if text.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    Err(text.to_string_lossy().into_owned())
}

/// Calls `fill_in` with the object that a callback received; does nothing if it is null.
///
/// # Safety
///
/// Null, or the object that was passed to the callback, while the callback runs.
unsafe fn fill_in<T>(object: *mut T, fill_in: impl FnOnce(&mut T)) {
    // SAFETY: the caller's promise.
    if let Some(object) = unsafe { object.as_mut() } {
        fill_in(object);
    }
}
