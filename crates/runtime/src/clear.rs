//! Giving back all memory of a region, which stays.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;

use crate::give::give_back;
use crate::references::release_all;
use crate::usual::{clear_block, empty_block};
use crate::{Error, parents, table};

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
