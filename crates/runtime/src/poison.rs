//! What memory holds while nobody may read it, with `MEMPLAN_REGION_DEBUG=1`.

use std::slice;

/// In each byte that has been allocated and not been written.
pub(crate) const FRESH: u8 = 0xcd;
/// In each byte that is not allocated, or not any more.
pub(crate) const FREED: u8 = 0xdd;

/// Writes over memory that is allocated.
///
/// # Safety
/// It is there, and ours.
pub(crate) unsafe fn fresh(memory: *mut u8, size: usize) {
    // SAFETY: the caller's.
    unsafe { memory.write_bytes(FRESH, size) };
}

/// Writes over memory that is given back.
///
/// # Safety
/// It is there, and ours.
pub(crate) unsafe fn freed(memory: *mut u8, size: usize) {
    // SAFETY: the caller's.
    unsafe { memory.write_bytes(FREED, size) };
}

/// The first byte of memory that is not as [`freed`] left it, counted from its start.
///
/// # Safety
/// It is there, and ours, and was written over.
pub(crate) unsafe fn touched(memory: *const u8, size: usize) -> Option<usize> {
    // SAFETY: the caller's.
    let bytes = unsafe { slice::from_raw_parts(memory, size) };
    bytes.iter().position(|byte| *byte != FREED)
}
