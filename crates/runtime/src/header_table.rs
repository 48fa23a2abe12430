//! The table of headers, and handles to them. Headers are allocated a slab at a time and never unmapped.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::header::Header;

const SLAB_BITS: u32 = 6;
const SLAB: usize = 1 << SLAB_BITS;
const SLABS: usize = 1 << 18;

/// The most headers, 2^24.
pub(crate) const MAX_HEADERS: usize = SLAB * SLABS;

static TABLE: [AtomicPtr<Header>; SLABS] = [const { AtomicPtr::new(null_mut()) }; SLABS];

/// Number of headers that were ever used.
static USED: AtomicU32 = AtomicU32::new(0);

/// Free headers that no thread caches.
static FREE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn free() -> MutexGuard<'static, Vec<u32>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of a life of a header: the generation in the upper half, the index in the lower half.
pub(crate) fn handle(index: u32, generation: u32) -> i64 {
    (i64::from(generation) << 32) | i64::from(index)
}

/// The generation in a handle.
#[inline(always)]
pub(crate) fn life(handle: i64) -> u32 {
    (handle as u64 >> 32) as u32
}

/// The index of the header in a handle.
#[inline(always)]
pub(crate) fn index(handle: i64) -> u32 {
    handle as u32
}

/// The header with an index, if it exists.
#[inline(always)]
pub(crate) fn at(index: u32) -> Option<&'static Header> {
    let slab = TABLE
        .get((index >> SLAB_BITS) as usize)?
        .load(Ordering::Acquire);
    if slab.is_null() {
        return None;
    }
    // SAFETY: a slab has `SLAB` headers, and is never freed.
    Some(unsafe { &*slab.add(index as usize % SLAB) })
}

/// The header of a live region.
///
/// # Errors
/// [`Error::NotARegion`] or [`Error::Freed`].
pub(crate) fn alive(handle: i64) -> Result<&'static Header, Error> {
    let header = at(index(handle)).ok_or(Error::NotARegion)?;
    header.count.references(life(handle))?;
    Ok(header)
}

/// All headers that were ever used, with their indices.
pub(crate) fn all() -> impl Iterator<Item = (u32, &'static Header)> {
    (0..USED.load(Ordering::Acquire)).filter_map(|index| Some((index, at(index)?)))
}

/// Moves free headers that no thread caches to the front of `indices`. Returns how many.
pub(crate) fn take_free(indices: &mut [u32]) -> usize {
    let mut free = free();
    let count = free.len().min(indices.len());
    let rest = free.len() - count;
    indices[..count].copy_from_slice(&free[rest..]);
    free.truncate(rest);
    count
}

/// Returns free headers to the table, for all threads.
pub(crate) fn put_free(indices: &[u32]) {
    free().extend_from_slice(indices);
}

/// The index of a header that was never used.
pub(crate) fn new_header() -> Result<u32, Error> {
    // The lock is held throughout, so that slabs are allocated one after the other.
    let _free = free();
    let index = USED.load(Ordering::Relaxed);
    if index as usize == MAX_HEADERS {
        return Err(Error::TooManyRegions);
    }
    let place = &TABLE[(index >> SLAB_BITS) as usize];
    if place.load(Ordering::Relaxed).is_null() {
        let layout = Layout::new::<[Header; SLAB]>();
        // SAFETY: the layout is not empty.
        let slab = unsafe { System.alloc(layout) }.cast::<Header>();
        if slab.is_null() {
            return Err(Error::OutOfMemory(layout.size() as u64));
        }
        for header in 0..SLAB {
            // SAFETY: the slab has `SLAB` headers, and no other thread sees it yet.
            unsafe { slab.add(header).write(Header::default()) };
        }
        place.store(slab, Ordering::Release);
    }
    USED.store(index + 1, Ordering::Release);
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_encodes_header_and_life() {
        let handle = handle(7, 3);
        assert_eq!((index(handle), life(handle)), (7, 3));
        assert!(handle > 0);
    }

    #[test]
    fn numbers_that_are_no_handles_are_rejected() {
        let made = [
            0,
            -1,
            i64::MIN,
            i64::MAX,
            1,
            0xdead_beef,
            (1 << 32) | (1 << 24),
        ];
        for number in made {
            assert_eq!(alive(number).err(), Some(Error::NotARegion), "{number:#x}");
        }
    }

    #[test]
    fn a_header_is_two_cache_lines() {
        assert_eq!(size_of::<Header>(), 128);
    }
}
