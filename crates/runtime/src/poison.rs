//! Patterns for memory that must not be read, with `MEMPLAN_REGION_DEBUG=1`.

use std::slice;

/// The value of each byte that is allocated and not yet written.
pub(crate) const FRESH: u8 = 0xcd;
/// The value of each byte that is not allocated.
pub(crate) const FREED: u8 = 0xdd;

/// Fills newly allocated memory with [`FRESH`].
///
/// # Safety
/// The memory may be written.
pub(crate) unsafe fn fresh(memory: *mut u8, size: usize) {
    // SAFETY: the caller's.
    unsafe { memory.write_bytes(FRESH, size) };
}

/// Fills freed memory with [`FREED`].
///
/// # Safety
/// The memory may be written.
pub(crate) unsafe fn freed(memory: *mut u8, size: usize) {
    // SAFETY: the caller's.
    unsafe { memory.write_bytes(FREED, size) };
}

/// Offset of the first byte that is not [`FREED`].
///
/// # Safety
/// The memory may be read, and was filled by [`freed`].
pub(crate) unsafe fn touched(memory: *const u8, size: usize) -> Option<usize> {
    // SAFETY: the caller's.
    let bytes = unsafe { slice::from_raw_parts(memory, size) };
    bytes.iter().position(|byte| *byte != FREED)
}
