//! References to regions: making one makes a region, and the region goes with its last.

use std::sync::atomic::Ordering::Relaxed;

use crate::count::{LAST_GENERATION, Left};
use crate::give::give_back;
use crate::{Error, parents, pool, report, statistics, table};

/// A new region, with one reference.
pub(crate) fn make() -> Result<i64, Error> {
    report::at_exit();
    let index = pool::take_header()?;
    let header = table::at(index).ok_or(Error::TooManyRegions)?;
    for counter in [&header.allocations, &header.most, &header.given_back] {
        counter.store(0, Relaxed);
    }
    header.clears.store(0, Relaxed);
    statistics::count_made();
    Ok(table::handle(index, header.count.begin()))
}

/// Adds a reference.
pub(crate) fn retain(handle: i64) -> Result<(), Error> {
    let header = table::at(table::index(handle)).ok_or(Error::NotARegion)?;
    Ok(header.count.retain(table::life(handle))?)
}

/// Takes a reference away; the region goes with the last, and so do parents that it alone kept.
///
/// # Safety
/// The reference is the caller's. With the last one, nobody fills the region or uses what is in it.
pub(crate) unsafe fn release(handle: i64) -> Result<(), Error> {
    let mut left = match let_go(handle)? {
        Some(parents) => parents,
        None => return Ok(()),
    };
    // Not by recursion: chains may be long.
    while let Some(parent) = left.pop() {
        if let Some(parents) = let_go(parent)? {
            left.extend(parents);
        }
    }
    Ok(())
}

/// Takes a reference away; with the last, ends the region and gives its parents.
fn let_go(handle: i64) -> Result<Option<Vec<i64>>, Error> {
    let index = table::index(handle);
    let header = table::at(index).ok_or(Error::NotARegion)?;
    if header.count.release(table::life(handle))? == Left::Some {
        return Ok(None);
    }
    // Too late for an error: the handle is gone, and somebody fills on without one.
    let filling = match header.fill() {
        Ok(filling) => filling,
        Err(error) => report::misuse("memplan_region_release", handle, error),
    };
    statistics::count_ended(header);
    let parents = parents::take_behind(header, 0);
    give_back(header, handle, None);
    drop(filling);
    if header.count.generation() < LAST_GENERATION {
        pool::give_header(index);
    }
    Ok(Some(parents))
}

/// Takes away the references that a region had to its parents.
pub(crate) fn release_all(handles: Vec<i64>) -> Result<(), Error> {
    for handle in handles {
        // SAFETY: the reference was the child's; what is in the parent may be used by the child's values only.
        unsafe { release(handle)? };
    }
    Ok(())
}
