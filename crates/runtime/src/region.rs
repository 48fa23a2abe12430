//! Regions for Rust.
//!
//! [`Region`] is a counted reference: clones and drops change the count. It calls the functions on handles that the C
//! API calls, too. Each of them checks its arguments first, and changes nothing if it fails.

use std::ptr::NonNull;

use crate::allocate::allocate;
use crate::clear::{clear, empty};
use crate::fast_path::allocate_aligned;
use crate::marks::{mark, release_to};
use crate::references::{make, release, retain};
use crate::{Error, parents, statistics};

/// A counted reference to a region.
#[derive(Debug)]
pub struct Region(i64);

impl Region {
    /// Makes an empty region.
    ///
    /// # Errors
    /// [`Error::TooManyRegions`] or [`Error::OutOfMemory`].
    pub fn new() -> Result<Self, Error> {
        make().map(Self)
    }

    /// The handle for the C API. The reference stays with `self`.
    pub fn handle(&self) -> i64 {
        self.0
    }

    /// Takes ownership of a reference of the C API.
    ///
    /// # Safety
    /// The caller owns the reference, and the region is alive.
    pub unsafe fn from_handle(handle: i64) -> Self {
        Self(handle)
    }

    /// Transfers the reference to the C API, which must release it.
    pub fn into_handle(self) -> i64 {
        let handle = self.0;
        std::mem::forget(self);
        handle
    }

    /// Adds a reference.
    ///
    /// # Errors
    /// [`Error::TooManyReferences`].
    pub fn retain(&self) -> Result<Self, Error> {
        retain(self.0).map(|()| Self(self.0))
    }

    /// Allocates `size` bytes at a multiple of `alignment`, in bytes. The memory is not zeroed. It stays until the
    /// region is cleared or freed, or an earlier mark is released to. For `size` 0, an aligned pointer that must not
    /// be read from.
    ///
    /// # Errors
    /// An invalid size or alignment, no memory, or the limit.
    ///
    /// # Safety
    /// No other thread fills the region at the same time.
    #[inline(always)]
    pub unsafe fn allocate(&self, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
        // SAFETY: the caller's.
        unsafe {
            match allocate_aligned(self.0, size, alignment) {
                Some(memory) => Ok(memory),
                None => allocate_slow_path(self.0, size, alignment),
            }
        }
    }

    /// Frees all memory except one block, which is used again, and releases the parents.
    ///
    /// # Errors
    /// [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses its memory.
    #[inline]
    pub unsafe fn clear(&self) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { clear(self.0) }
    }

    /// Frees all memory, to the last block, and releases the parents. For a region whose next use is not known.
    ///
    /// # Errors
    /// [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses its memory.
    pub unsafe fn empty(&self) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { empty(self.0) }
    }

    /// A mark at the current position, for [`Region::release_to`].
    ///
    /// # Errors
    /// [`Error::Busy`].
    pub fn mark(&self) -> Result<i64, Error> {
        mark(self.0)
    }

    /// Frees the memory that was allocated after a mark, and releases the parents that were added after it.
    ///
    /// # Errors
    /// [`Error::MarkAhead`], [`Error::NotAMark`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses memory that was allocated after the mark.
    #[inline]
    pub unsafe fn release_to(&self, mark: i64) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { release_to(self.0, mark) }
    }

    /// Keeps another region alive until this one is freed or cleared, or an earlier mark is released to.
    ///
    /// # Errors
    /// [`Error::Cycle`], [`Error::TooManyReferences`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills this region at the same time.
    pub unsafe fn refer(&self, parent: &Region) -> Result<(), Error> {
        parents::refer(self.0, parent.0)
    }

    /// The counters of the region.
    pub fn statistics(&self) -> statistics::RegionUsage {
        // The region is alive as long as this reference.
        statistics::region(self.0).unwrap_or_default()
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: a thread that fills the region has a reference of its own.
        let released = unsafe { release(self.0) };
        debug_assert!(released.is_ok(), "{released:?}");
    }
}

/// Not inlined, so that the fast path stays small where it is inlined.
///
/// # Safety
/// As for [`Region::allocate`].
#[inline(never)]
unsafe fn allocate_slow_path(handle: i64, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
    // SAFETY: the caller's.
    unsafe { allocate(handle, size, alignment) }
}
