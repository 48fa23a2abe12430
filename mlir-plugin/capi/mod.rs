//! The C API, as `include/memplan-c` declares it. No panic leaves it.

mod operations;
mod passes;
mod planner;

pub use passes::memplanRegisterPasses;

use mlir_sys::MlirStringRef;
use std::ffi::{CStr, c_char, c_void};

/// What is handed back to a callback. Whoever registers one promises that any thread may call it.
#[derive(Clone, Copy)]
struct User(*mut c_void);

// SAFETY: the promise above, which the headers ask for.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}

impl User {
    /// As a method, so that closures take all of it, not the pointer alone.
    const fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// A text of the caller's, copied.
///
/// # Safety
///
/// It points to as many bytes as it says.
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

/// What a callback says went wrong: nothing, or a text.
///
/// # Safety
///
/// Null, or a text that ends in a zero.
unsafe fn complaint(text: *const c_char) -> Result<(), String> {
    if text.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    Err(text.to_string_lossy().into_owned())
}

/// Changes what a callback was given to fill in; nothing where that is null.
///
/// # Safety
///
/// Null, or what the callback was given, while it runs.
unsafe fn change<T>(said: *mut T, change: impl FnOnce(&mut T)) {
    // SAFETY: the caller's promise.
    if let Some(said) = unsafe { said.as_mut() } {
        change(said);
    }
}
