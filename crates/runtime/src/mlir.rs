//! The C API as MLIR calls functions with `llvm.emit_c_interface`: memrefs come as pointers to their descriptors.
//!
//! ```mlir
//! func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>)
//!     attributes {llvm.emit_c_interface}
//! ```
//!
//! No function gives a memref: deallocation passes would take it for the caller's and free it. Memory goes to a slot
//! that the caller has, from `memref.alloca`. What takes and gives numbers only is there under its plain name, too.

use std::ffi::c_void;

use crate::statistics::RegionUsage;
use crate::{c, statistics};

/// A `memref<?xi8>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// Where the allocation starts.
    pub allocated: *mut c_void,
    /// Where its data starts.
    pub aligned: *mut c_void,
    /// The first element, counted from there.
    pub offset: i64,
    /// How many elements there are.
    pub size: i64,
    /// How far one is from the next, in elements.
    pub stride: i64,
}

/// A `memref<memref<?xi8>>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Where the allocation starts.
    pub allocated: *mut Bytes,
    /// Where its data starts.
    pub aligned: *mut Bytes,
    /// The element, counted from there.
    pub offset: i64,
}

/// `(i64, index, index, memref<memref<?xi8>>)`: region, bytes, alignment, where the memref goes.
///
/// # Safety
/// As for [`c::memplan_region_allocate`]; the slot is one, and may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_allocate(
    region: i64,
    size: i64,
    alignment: i64,
    slot: *const Slot,
) {
    // SAFETY: the caller's.
    let memory = unsafe { c::memplan_region_allocate(region, size, alignment) };
    let bytes = Bytes {
        allocated: memory,
        aligned: memory,
        offset: 0,
        size,
        stride: 1,
    };
    // SAFETY: the caller's.
    unsafe { (*slot).aligned.offset((*slot).offset as isize).write(bytes) };
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_make() -> i64 {
    c::memplan_region_make()
}

/// `(i64)`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_retain(region: i64) {
    c::memplan_region_retain(region);
}

/// `(i64)`
///
/// # Safety
/// As for [`c::memplan_region_release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_release(region: i64) {
    // SAFETY: the caller's.
    unsafe { c::memplan_region_release(region) };
}

/// `(i64)`
///
/// # Safety
/// As for [`c::memplan_region_clear`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_clear(region: i64) {
    // SAFETY: the caller's.
    unsafe { c::memplan_region_clear(region) };
}

/// `(i64)`
///
/// # Safety
/// As for [`c::memplan_region_empty`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_empty(region: i64) {
    // SAFETY: the caller's.
    unsafe { c::memplan_region_empty(region) };
}

/// `(i64) -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_mark(region: i64) -> i64 {
    c::memplan_region_mark(region)
}

/// `(i64, i64)`: region, mark.
///
/// # Safety
/// As for [`c::memplan_region_release_to`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_release_to(region: i64, mark: i64) {
    // SAFETY: the caller's.
    unsafe { c::memplan_region_release_to(region, mark) };
}

/// `(i64, i64)`: child, parent.
///
/// # Safety
/// As for [`c::memplan_region_refer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_refer(child: i64, parent: i64) {
    // SAFETY: the caller's.
    unsafe { c::memplan_region_refer(child, parent) };
}

/// `(i64, memref<9xi64>)`: a region, and where the nine numbers of [`RegionUsage`] go.
///
/// # Safety
/// The memref is one of nine numbers in a row, and may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_statistics(
    region: i64,
    numbers: *const Bytes,
) {
    let usage = c::or_abort(
        statistics::region(region),
        "memplan_region_statistics",
        region,
    );
    // SAFETY: the caller's; the nine numbers of the usage are in a row, too.
    unsafe {
        let first = (*numbers)
            .aligned
            .cast::<i64>()
            .offset((*numbers).offset as isize);
        first.cast::<RegionUsage>().write_unaligned(usage);
    }
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_alive() -> i64 {
    c::memplan_region_alive()
}

/// `(i64) -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_bytes(region: i64) -> i64 {
    c::memplan_region_bytes(region)
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_held() -> i64 {
    c::memplan_region_held()
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_most_held() -> i64 {
    c::memplan_region_most_held()
}

/// `()`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_report() {
    c::memplan_region_report();
}
