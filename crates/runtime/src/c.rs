//! The C API; `include/memplan_runtime.h` describes it.
//!
//! What ends in a message and an abort here gives an error code in the function with `try_` in its name.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;

use crate::statistics::{ProcessUsage, RegionUsage};
use crate::{Error, clear, fill, marks, parents, references, report, statistics, table, usual};

const DONE: c_int = 0;

/// The result, or a message and the end of the process.
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

/// Stores a result where the caller wants it; nothing where there is none.
///
/// # Safety
/// The place may be written, or is null.
unsafe fn store<T>(place: *mut T, make: impl FnOnce() -> Result<T, Error>) -> c_int {
    let Some(place) = NonNull::new(place) else {
        return Error::NoPlace.code();
    };
    code(make().map(|value| {
        // SAFETY: the caller's.
        unsafe { place.write(value) };
    }))
}

/// A new region with one reference.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_make() -> i64 {
    or_abort(references::make(), "memplan_region_make", 0)
}

/// [`memplan_region_make`] with an error code.
///
/// # Safety
/// `region` may be written, or is null.
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

/// [`memplan_region_retain`] with an error code.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_try_retain(region: i64) -> c_int {
    code(references::retain(region))
}

/// Takes a reference away; the region is freed with the last.
///
/// # Safety
/// With the last reference, nobody fills the region or uses what is in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_release(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { references::release(region) },
        "memplan_region_release",
        region,
    );
}

/// [`memplan_region_release`] with an error code.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_release(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { references::release(region) })
}

/// Memory of so many bytes.
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
        match usual::allocate_aligned(region, size, alignment) {
            Some(memory) => memory.as_ptr().cast(),
            None => allocate_otherwise(region, size, alignment),
        }
    }
}

/// Apart, so that the usual case keeps no registers for it.
#[inline(never)]
unsafe extern "C" fn allocate_otherwise(region: i64, size: i64, alignment: i64) -> *mut c_void {
    // SAFETY: the caller's.
    let memory = unsafe { fill::allocate(region, size, alignment) };
    or_abort(memory, "memplan_region_allocate", region)
        .as_ptr()
        .cast()
}

/// [`memplan_region_allocate`] with an error code.
///
/// # Safety
/// As there, and `memory` may be written, or is null.
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
            fill::allocate(region, size, alignment).map(|memory| memory.as_ptr().cast())
        })
    }
}

/// What `memplan_region_take` of the C header reads and writes: the start of a region's header.
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

/// [`memplan_region_head`] with an error code.
///
/// # Safety
/// `place` may be written, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_head(region: i64, place: *mut *mut Head) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(place, || head(region)) }
}

fn head(region: i64) -> Result<*mut Head, Error> {
    let header = table::alive(region)?;
    // All of it is atomic, so that it may be written through a shared reference.
    Ok(std::ptr::from_ref(header).cast_mut().cast())
}

/// Gives back all memory, and releases the parents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_clear(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { clear::clear(region) },
        "memplan_region_clear",
        region,
    );
}

/// [`memplan_region_clear`] with an error code.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_clear(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { clear::clear(region) })
}

/// Gives back all memory, to the last block, and releases the parents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_empty(region: i64) {
    // SAFETY: the caller's.
    or_abort(
        unsafe { clear::empty(region) },
        "memplan_region_empty",
        region,
    );
}

/// [`memplan_region_empty`] with an error code.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_empty(region: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { clear::empty(region) })
}

/// Where the region is.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_mark(region: i64) -> i64 {
    or_abort(marks::mark(region), "memplan_region_mark", region)
}

/// [`memplan_region_mark`] with an error code.
///
/// # Safety
/// `mark` may be written, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_mark(region: i64, mark: *mut i64) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(mark, || marks::mark(region)) }
}

/// Gives back what is behind a mark.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is behind the mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_release_to(region: i64, mark: i64) {
    // SAFETY: the caller's.
    let released = unsafe { marks::release_to(region, mark) };
    or_abort(released, "memplan_region_release_to", region);
}

/// [`memplan_region_release_to`] with an error code.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_release_to(region: i64, mark: i64) -> c_int {
    // SAFETY: the caller's.
    code(unsafe { marks::release_to(region, mark) })
}

/// Makes a region a parent of another, which keeps it alive.
///
/// # Safety
/// No other thread fills the child at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_refer(child: i64, parent: i64) {
    or_abort(parents::refer(child, parent), "memplan_region_refer", child);
}

/// [`memplan_region_refer`] with an error code.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_try_refer(child: i64, parent: i64) -> c_int {
    code(parents::refer(child, parent))
}

/// What a region has; an error code where it has been freed.
///
/// # Safety
/// `usage` may be written, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_statistics(region: i64, usage: *mut RegionUsage) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(usage, || statistics::region(region)) }
}

/// What the process has.
///
/// # Safety
/// `usage` may be written, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplan_region_process_statistics(usage: *mut ProcessUsage) -> c_int {
    // SAFETY: the caller's.
    unsafe { store(usage, || Ok(statistics::process())) }
}

/// How many regions are alive.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_alive() -> i64 {
    statistics::alive().cast_signed()
}

/// How many bytes a region has in use.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_bytes(region: i64) -> i64 {
    let usage = or_abort(statistics::region(region), "memplan_region_bytes", region);
    usage.bytes.cast_signed()
}

/// How many bytes the regions that are alive hold.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_held() -> i64 {
    statistics::process().region_bytes.cast_signed()
}

/// The most bytes that the process ever held, in regions and pools.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_most_held() -> i64 {
    statistics::process().most_held_bytes.cast_signed()
}

/// Writes the table of what was counted to standard error.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_report() {
    report::print();
}

/// What an error code means; null where it is none.
#[unsafe(no_mangle)]
pub extern "C" fn memplan_region_message(status: c_int) -> *const c_char {
    let text: &CStr = match status {
        0 => c"done",
        1 => c"the region has been freed already",
        2 => c"this is not the handle of a region",
        3 => c"the parent would keep itself alive: a cycle of parents",
        4 => c"the size is negative",
        5 => c"the alignment is no power of two",
        6 => c"no memory has so many bytes",
        7 => c"over the limit of MEMPLAN_REGION_LIMIT",
        8 => c"the system has no memory left",
        9 => c"the mark lies ahead: what was behind it is gone already",
        10 => c"the mark is not of this region, or of before a clear",
        11 => c"two threads fill the region at once",
        12 => c"too many regions are alive",
        13 => c"the region has too many references",
        14 => c"a null pointer where the result goes",
        _ => return std::ptr::null(),
    };
    text.as_ptr()
}
