//! Strings on their way to MLIR and back.

use mlir_sys::MlirStringRef;

/// Lends a text to MLIR for the length of a call.
pub(crate) fn borrow(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Copies a string of MLIR's.
///
/// # Safety
/// `text` must be valid.
pub(crate) unsafe fn copy(text: MlirStringRef) -> String {
    if text.length == 0 {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}
