//! The C API, as `include/memplan_runtime.h` documents it.
//!
//! A function that can be misused prints a message and aborts the process on misuse. Its twin with `try_` in its name
//! returns an error code instead.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;

use crate::statistics::{ProcessUsage, RegionUsage};
use crate::{
    Error, allocate, clear, fast_path, header_table, marks, parents, references, report, statistics,
};

const DONE: c_int = 0;

/// The value of `result`; on an error, prints a message and aborts the process.
#[inline(always)]
pub(crate) fn or_abort<T>(result: Result<T, Error>, function: &str, handle: i64) -> T {
    match result {
        Ok(value) => value,
        Err(error) => report::misuse(function, handle, error),
    }
}

fn code(result: Result<(), Error>) -> c_int {
    match result {
        Ok(()) => DONE,
        Err(error) => error.code(),
    }
}

/// Stores a result at `place`. Returns an error code, [`Error::NoPlace`] if `place` is null, and writes nothing then.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn store<T>(place: *mut T, make: impl FnOnce() -> Result<T, Error>) -> c_int {
    let Some(place) = NonNull::new(place) else {
        return Error::NoPlace.code();
    };
    code(make().map(|value| {
        // SAFETY: the caller's.
        unsafe { place.write(value) };
    }))
}

/// Makes a region with one reference.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_make() -> i64 {
    or_abort(references::make(), "memplan_region_make", 0)
}

/// [`memplan_region_make`] that returns an error code.
///
/// # Safety
/// `region` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_make(region: *mut i64) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(region, references::make) }
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_retain(region: i64) {
    or_abort(references::retain(region), "memplan_region_retain", region);
}

/// [`memplan_region_retain`] that returns an error code.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_try_retain(region: i64) -> c_int {
    code(references::retain(region))
}

/// Releases a reference. The region is freed with its last reference.
///
/// # Safety
/// If the reference is the last, no thread fills the region or uses its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_release(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { references::release(region) },
        "memplan_region_release",
        region,
    );
}

/// [`memplan_region_release`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_release(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { references::release(region) })
}

/// Allocates `size` bytes at a multiple of `alignment`, in bytes.
///
/// # Safety
/// No other thread fills the region at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_allocate(
    region: i64,
    size: i64,
    alignment: i64,
) -> *mut c_void {
    // SAFETY: the caller's.
    unsafe {
        match fast_path::allocate_aligned(region, size, alignment) {
            Some(memory) => memory.as_ptr().cast(),
            None => allocate_slow_path(region, size, alignment),
        }
    }
}

/// Not inlined, so that the fast path saves no registers for it.
#[inline(never)]
unsafe extern "C" fn allocate_slow_path(region: i64, size: i64, alignment: i64) -> *mut c_void {
    // SAFETY: the caller's.
    let memory = unsafe { allocate::allocate(region, size, alignment) };
    or_abort(memory, "memplan_region_allocate", region)
        .as_ptr()
        .cast()
}

/// [`memplan_region_allocate`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_allocate`]; `memory` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_allocate(
    region: i64,
    size: i64,
    alignment: i64,
    memory: *mut *mut c_void,
) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        store(memory, || {
            allocate::allocate(region, size, alignment).map(|memory| memory.as_ptr().cast())
        })
    }
}

/// The start of a region's header: the fields that `memplan_region_take` of the C header reads and writes.
#[repr(C)]
#[derive(Debug)]
pub struct Head {
    _header: [u64; 5],
}

/// The head of a region.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_head(region: i64) -> *mut Head {
    or_abort(head(region), "memplan_region_head", region)
}

/// [`memplan_region_head`] that returns an error code.
///
/// # Safety
/// `place` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_head(region: i64, place: *mut *mut Head) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(place, || head(region)) }
}

fn head(region: i64) -> Result<*mut Head, Error> {
    let header = header_table::alive(region)?;
    // All fields of the head are atomic, so it may be written through a shared reference.
    Ok(std::ptr::from_ref(header).cast_mut().cast())
}

/// Frees all memory of a region except one block, and releases its parents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_clear(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { clear::clear(region) },
        "memplan_region_clear",
        region,
    );
}

/// [`memplan_region_clear`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_clear`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_clear(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { clear::clear(region) })
}

/// Frees all memory of a region, to the last block, and releases its parents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_empty(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { clear::empty(region) },
        "memplan_region_empty",
        region,
    );
}

/// [`memplan_region_empty`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_empty`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_empty(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { clear::empty(region) })
}

/// A mark at the current position of a region.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_mark(region: i64) -> i64 {
    or_abort(marks::mark(region), "memplan_region_mark", region)
}

/// [`memplan_region_mark`] that returns an error code.
///
/// # Safety
/// `mark` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_mark(region: i64, mark: *mut i64) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(mark, || marks::mark(region)) }
}

/// Frees the memory that was allocated after a mark, and releases the parents that were added after it.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses memory that was allocated after the mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_release_to(region: i64, mark: i64) {
    // SAFETY: the caller's.
    let released = unsafe { marks::release_to(region, mark) };
    or_abort(released, "memplan_region_release_to", region);
}

/// [`memplan_region_release_to`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_release_to`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_release_to(region: i64, mark: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { marks::release_to(region, mark) })
}

/// Makes `parent` a parent of `child`: the child keeps it alive.
///
/// # Safety
/// No other thread fills the child at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_refer(child: i64, parent: i64) {
    or_abort(parents::refer(child, parent), "memplan_region_refer", child);
}

/// [`memplan_region_refer`] that returns an error code.
///
/// # Safety
/// As for [`memplan_region_refer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_refer(child: i64, parent: i64) -> c_int {
    code(parents::refer(child, parent))
}

/// Stores the counters of a region. Returns an error code if the region has been freed.
///
/// # Safety
/// `usage` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_statistics(region: i64, usage: *mut RegionUsage) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(usage, || statistics::region(region)) }
}

/// Stores the counters of the process. Returns an error code if `usage` is null.
///
/// # Safety
/// `usage` is null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_process_statistics(usage: *mut ProcessUsage) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(usage, || Ok(statistics::process())) }
}

/// Number of live regions.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_alive() -> i64 {
    statistics::alive().cast_signed()
}

/// Bytes in use in a region.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_bytes(region: i64) -> i64 {
    let usage = or_abort(statistics::region(region), "memplan_region_bytes", region);
    usage.bytes.cast_signed()
}

/// Bytes that all live regions hold.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_held() -> i64 {
    statistics::process().region_bytes.cast_signed()
}

/// Peak of the bytes that the process held, in regions and pools.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_most_held() -> i64 {
    statistics::process().most_held_bytes.cast_signed()
}

/// Prints the table of the process's counters to standard error.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_report() {
    report::print();
}

/// The meaning of an error code, in words; null for other numbers.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_message(status: c_int) -> *const c_char {
    let text: &CStr = match status {
        0 => c"done",
        1 => c"the region has been freed already",
        2 => c"this is not the handle of a region",
        3 => c"the parent would keep itself alive: a cycle of parents",
        4 => c"the size is negative",
        5 => c"the alignment is not a power of two",
        6 => c"the size exceeds the address space",
        7 => c"MEMPLAN_REGION_LIMIT is exceeded",
        8 => c"the system is out of memory",
        9 => c"the mark is after the end of the region: the memory up to it was already released",
        10 => c"the mark is of another region, or older than the last clear",
        11 => c"two threads allocate from the region at once",
        12 => c"too many live regions",
        13 => c"the region has too many references",
        14 => c"the result pointer is null",
        _ => return std::ptr::null(),
    };
    text.as_ptr()
}
