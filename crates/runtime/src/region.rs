//! Regions for Rust.
//!
//! [`Region`] is a reference that Rust counts by itself. It calls functions on handles, which the C API shares: each
//! checks all that can be wrong first, and changes nothing then.

use std::ptr::NonNull;

use crate::clear::{clear, empty};
use crate::fill::allocate;
use crate::marks::{mark, release_to};
use crate::references::{make, release, retain};
use crate::usual::allocate_aligned;
use crate::{Error, parents, statistics};

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
