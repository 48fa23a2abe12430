//! What is done with regions.
//!
//! [`Region`] is a reference that Rust counts by itself. Behind it are functions on handles, which the C API shares:
//! each checks all that can be wrong first, and changes nothing then.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;

use crate::count::{LAST_GENERATION, Left};
use crate::fill::allocate;
use crate::give::give_back;
use crate::marks::{mark, release_to};
use crate::usual::{allocate_aligned, clear_block, empty_block};
use crate::{Error, parents, pool, report, settings, statistics, table};

/// A counted reference to a region.
#[derive(Debug)]
pub struct Region(i64);

impl Region {
    /// A new region, empty.
    ///
    /// # Errors
    /// [`Error::TooManyRegions`], or [`Error::OutOfMemory`].
    pub fn new() -> Result<Self, Error> {
        make().map(Self)
    }

    /// The number that stands for it in the C API; this reference stays its own.
    pub fn handle(&self) -> i64 {
        self.0
    }

    /// Takes over a reference of the C API's.
    ///
    /// # Safety
    /// It is one that the caller has, of a region that is alive.
    pub unsafe fn from_handle(handle: i64) -> Self {
        Self(handle)
    }

    /// The C API's reference, which is to be released.
    pub fn into_handle(self) -> i64 {
        let handle = self.0;
        std::mem::forget(self);
        handle
    }

    /// One more reference.
    ///
    /// # Errors
    /// [`Error::TooManyReferences`].
    pub fn retain(&self) -> Result<Self, Error> {
        retain(self.0).map(|()| Self(self.0))
    }

    /// Memory of so many bytes, until the region is cleared or freed or a mark in front of it is released to. Not
    /// zeroed. Without bytes, an aligned pointer that nothing may be read from.
    ///
    /// # Errors
    /// Sizes and alignments that make no sense, no memory, the limit.
    ///
    /// # Safety
    /// No other thread fills the region at the same time.
    #[inline(always)]
    pub unsafe fn allocate(&self, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
        // SAFETY: the caller's.
        unsafe {
            match allocate_aligned(self.0, size, alignment) {
                Some(memory) => Ok(memory),
                None => allocate_otherwise(self.0, size, alignment),
            }
        }
    }

    /// Gives back all memory but a block, which is used again, and releases the parents.
    ///
    /// # Errors
    /// [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses what is in it.
    #[inline]
    pub unsafe fn clear(&self) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { clear(self.0) }
    }

    /// Gives back all memory, to the last block, and releases the parents: for what comes next, which may be anything.
    ///
    /// # Errors
    /// [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses what is in it.
    pub unsafe fn empty(&self) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { empty(self.0) }
    }

    /// Where the region is, for [`Region::release_to`].
    ///
    /// # Errors
    /// [`Error::Busy`].
    pub fn mark(&self) -> Result<i64, Error> {
        mark(self.0)
    }

    /// Gives back what was allocated behind a mark, and releases the parents that were added behind it.
    ///
    /// # Errors
    /// [`Error::MarkAhead`], [`Error::NotAMark`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses what is behind the mark.
    #[inline]
    pub unsafe fn release_to(&self, mark: i64) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { release_to(self.0, mark) }
    }

    /// Keeps another region alive until this one is freed or cleared, or a mark of before is released to.
    ///
    /// # Errors
    /// [`Error::Cycle`], [`Error::TooManyReferences`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills this region at the same time.
    pub unsafe fn refer(&self, parent: &Region) -> Result<(), Error> {
        parents::refer(self.0, parent.0)
    }

    /// What is in it.
    pub fn statistics(&self) -> statistics::RegionUsage {
        // The region is alive as long as this reference.
        statistics::region(self.0).unwrap_or_default()
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: whoever fills the region has a reference of its own.
        let released = unsafe { release(self.0) };
        debug_assert!(released.is_ok(), "{released:?}");
    }
}

/// Apart, so that the usual case stays small where it is inlined.
///
/// # Safety
/// As for [`Region::allocate`].
#[inline(never)]
unsafe fn allocate_otherwise(handle: i64, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
    // SAFETY: the caller's.
    unsafe { allocate(handle, size, alignment) }
}

/// A new region, with one reference.
pub(crate) fn make() -> Result<i64, Error> {
    settings::get();
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

/// Gives back all memory but a block, as [`Region::clear`] says.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
#[inline]
pub(crate) unsafe fn clear(handle: i64) -> Result<(), Error> {
    // SAFETY: the caller's. One block stays, and the rest is the pool's, so that no region hoards.
    unsafe {
        match clear_block(handle) {
            Some(()) => Ok(()),
            None => start_anew(handle, true),
        }
    }
}

/// Gives back all memory, as [`Region::empty`] says.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
pub(crate) unsafe fn empty(handle: i64) -> Result<(), Error> {
    // SAFETY: the caller's.
    unsafe {
        match empty_block(handle) {
            Some(()) => Ok(()),
            None => start_anew(handle, false),
        }
    }
}

/// Gives back all memory, but for the newest block where that is wanted.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
#[cold]
#[inline(never)]
unsafe fn start_anew(handle: i64, keeps: bool) -> Result<(), Error> {
    let header = table::alive(handle)?;
    let filling = header.fill()?;
    header.count_giving_back(header.bytes(), 0);
    let parents = parents::take_behind(header, 0);
    let newest = NonNull::new(header.block.load(Relaxed));
    give_back(header, handle, newest.filter(|_| keeps));
    if !keeps {
        // What comes next is something else.
        header.first.store(0, Relaxed);
    }
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    drop(filling);
    release_all(parents)
}

pub(crate) fn release_all(handles: Vec<i64>) -> Result<(), Error> {
    for handle in handles {
        // SAFETY: the reference was the child's; what is in the parent may be used by the child's values only.
        unsafe { release(handle)? };
    }
    Ok(())
}
