//! Making, retaining and releasing regions. A region is freed with its last reference.

use std::sync::atomic::Ordering::Relaxed;

use crate::refcount::{LAST_GENERATION, Remaining};
use crate::release::release_memory;
use crate::{Error, header_table, mark_bits, parents, pool, report, statistics};

/// Makes a region with one reference.
pub(crate) fn make() -> Result<i64, Error> {
    report::init_exit_report();
    let index = pool::take_header()?;
    let header = header_table::at(index).ok_or(Error::TooManyRegions)?;
    for counter in [
        &header.allocations,
        &header.peak_bytes,
        &header.released_bytes,
    ] {
        counter.store(0, Relaxed);
    }
    statistics::count_made();
    let handle = header_table::handle(index, header.count.begin());
    header.clears.store(mark_bits::first(handle), Relaxed);
    Ok(handle)
}

/// Adds a reference.
pub(crate) fn retain(handle: i64) -> Result<(), Error> {
    let header = header_table::at(header_table::index(handle)).ok_or(Error::NotARegion)?;
    Ok(header.count.retain(header_table::life(handle))?)
}

/// Releases a reference. With the last reference the region is freed, and so are the parents that only it kept alive.
///
/// # Safety
/// The reference is the caller's. If it is the last, no thread fills the region or uses its memory.
pub(crate) unsafe fn release(handle: i64) -> Result<(), Error> {
    let mut left = match drop_reference(handle)? {
        Some(parents) => parents,
        None => return Ok(()),
    };
    // A loop, as recursion along a long chain of parents would overflow the stack.
    while let Some(parent) = left.pop() {
        if let Some(parents) = drop_reference(parent)? {
            left.extend(parents);
        }
    }
    Ok(())
}

/// Releases a reference. If it was the last, ends the region and returns its parents.
fn drop_reference(handle: i64) -> Result<Option<Vec<i64>>, Error> {
    let index = header_table::index(handle);
    let header = header_table::at(index).ok_or(Error::NotARegion)?;
    if header.count.release(header_table::life(handle))? == Remaining::Some {
        return Ok(None);
    }
    // It is too late to return an error: the handle is invalid, and another thread still fills the region.
    let filling = match header.begin_filling() {
        Ok(filling) => filling,
        Err(error) => report::misuse("memplan_region_release", handle, error),
    };
    statistics::count_ended(header);
    let parents = parents::take_added_since(header, 0);
    release_memory(header, handle, None);
    drop(filling);
    if header.count.generation() < LAST_GENERATION {
        pool::release_header(index);
    }
    Ok(Some(parents))
}

/// Releases the references that a region had to its parents.
pub(crate) fn release_all(handles: Vec<i64>) -> Result<(), Error> {
    for handle in handles {
        // SAFETY: the child owned the reference; only values of the child may use the parent's memory.
        unsafe { release(handle)? };
    }
    Ok(())
}
