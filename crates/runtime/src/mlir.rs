//! The C API for functions with `llvm.emit_c_interface`, where memrefs are passed as pointers to their descriptors.
//!
//! ```mlir
//! func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>)
//!     attributes {llvm.emit_c_interface}
//! ```
//!
//! No function returns a memref: deallocation passes would assume that the caller owns it, and free it. Allocated
//! memory is stored in a slot of the caller's, from `memref.alloca`. Functions that take and return numbers only also
//! exist under their plain names.

use std::ffi::c_void;

use crate::statistics::RegionUsage;
use crate::{c_api, statistics};

/// The descriptor of a `memref<?xi8>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ByteMemRef {
    /// Base of the allocation.
    pub allocated: *mut c_void,
    /// Base of the data.
    pub aligned: *mut c_void,
    /// Offset of the first element from `aligned`, in elements.
    pub offset: i64,
    /// Number of elements.
    pub size: i64,
    /// Distance of consecutive elements, in elements.
    pub stride: i64,
}

/// The descriptor of a `memref<memref<?xi8>>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SlotMemRef {
    /// Base of the allocation.
    pub allocated: *mut ByteMemRef,
    /// Base of the data.
    pub aligned: *mut ByteMemRef,
    /// Offset of the element from `aligned`, in elements.
    pub offset: i64,
}

/// `(i64, index, index, memref<memref<?xi8>>)`: region, bytes, alignment, slot for the memref.
///
/// # Safety
/// As for [`c_api::memplan_region_allocate`]; `slot` is a descriptor of memory that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_allocate(
    region: i64,
    size: i64,
    alignment: i64,
    slot: *const SlotMemRef,
) {
    // SAFETY: the caller's.
    let memory = unsafe { c_api::memplan_region_allocate(region, size, alignment) };
    let bytes = ByteMemRef {
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
    c_api::memplan_region_make()
}

/// `(i64)`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_retain(region: i64) {
    c_api::memplan_region_retain(region);
}

/// `(i64)`
///
/// # Safety
/// As for [`c_api::memplan_region_release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_release(region: i64) {
    // SAFETY: the caller's.
    unsafe { c_api::memplan_region_release(region) };
}

/// `(i64)`
///
/// # Safety
/// As for [`c_api::memplan_region_clear`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_clear(region: i64) {
    // SAFETY: the caller's.
    unsafe { c_api::memplan_region_clear(region) };
}

/// `(i64)`
///
/// # Safety
/// As for [`c_api::memplan_region_empty`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_empty(region: i64) {
    // SAFETY: the caller's.
    unsafe { c_api::memplan_region_empty(region) };
}

/// `(i64) -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_mark(region: i64) -> i64 {
    c_api::memplan_region_mark(region)
}

/// `(i64, i64)`: region, mark.
///
/// # Safety
/// As for [`c_api::memplan_region_release_to`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_release_to(region: i64, mark: i64) {
    // SAFETY: the caller's.
    unsafe { c_api::memplan_region_release_to(region, mark) };
}

/// `(i64, i64)`: child, parent.
///
/// # Safety
/// As for [`c_api::memplan_region_refer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_refer(child: i64, parent: i64) {
    // SAFETY: the caller's.
    unsafe { c_api::memplan_region_refer(child, parent) };
}

/// `(i64, memref<9xi64>)`: a region, and memory for the nine numbers of [`RegionUsage`].
///
/// # Safety
/// The memref has nine consecutive elements that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_ciface_memplan_region_statistics(
    region: i64,
    numbers: *const ByteMemRef,
) {
    let usage = c_api::or_abort(
        statistics::region(region),
        "memplan_region_statistics",
        region,
    );
    // SAFETY: the caller's; the nine numbers of the usage are consecutive, too.
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
    c_api::memplan_region_alive()
}

/// `(i64) -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_bytes(region: i64) -> i64 {
    c_api::memplan_region_bytes(region)
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_held() -> i64 {
    c_api::memplan_region_held()
}

/// `() -> i64`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_most_held() -> i64 {
    c_api::memplan_region_most_held()
}

/// `()`
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_ciface_memplan_region_report() {
    c_api::memplan_region_report();
}
