//! Clearing and emptying: freeing all memory of a region that stays alive.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;

use crate::fast_path::{clear_block, empty_block};
use crate::references::release_all;
use crate::release::release_memory;
use crate::{Error, header_table, parents};

/// Frees all memory except one block, as [`Region::clear`](crate::Region::clear) documents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[inline]
pub(crate) unsafe fn clear(handle: i64) -> Result<(), Error> {
    // SAFETY: the caller's. One block stays, and the pool takes the others, so that no region hoards memory.
    unsafe {
        match clear_block(handle) {
            Some(()) => Ok(()),
            None => clear_slowly(handle, true),
        }
    }
}

/// Frees all memory, as [`Region::empty`](crate::Region::empty) documents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
pub(crate) unsafe fn empty(handle: i64) -> Result<(), Error> {
    // SAFETY: the caller's.
    unsafe {
        match empty_block(handle) {
            Some(()) => Ok(()),
            None => clear_slowly(handle, false),
        }
    }
}

/// Frees all memory, except the newest block if `keeps_block`.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[cold]
#[inline(never)]
unsafe fn clear_slowly(handle: i64, keeps_block: bool) -> Result<(), Error> {
    let header = header_table::alive(handle)?;
    let filling = header.begin_filling()?;
    header.count_released_bytes(header.bytes(), 0);
    let parents = parents::take_added_since(header, 0);
    let newest = NonNull::new(header.block.load(Relaxed));
    release_memory(header, handle, newest.filter(|_| keeps_block));
    if !keeps_block {
        // An empty region may be filled in another way next time, so its first block starts small again.
        header.first_class.store(0, Relaxed);
    }
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    drop(filling);
    release_all(parents)
}
