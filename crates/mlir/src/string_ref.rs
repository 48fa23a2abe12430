//! Conversion between Rust strings and `MlirStringRef`.

use mlir_sys::MlirStringRef;

/// A reference to `text`, valid as long as `text` is.
pub(crate) fn borrow(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// Copies a string of MLIR.
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
