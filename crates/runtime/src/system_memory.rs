//! System memory: counted, and never more than the limit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{Error, settings};

static HELD: AtomicU64 = AtomicU64::new(0);
static MOST_HELD: AtomicU64 = AtomicU64::new(0);

/// Bytes that the process holds, in regions and in the pools of threads.
pub(crate) fn held() -> u64 {
    HELD.load(Relaxed)
}

/// Peak of [`held`].
pub(crate) fn most_held() -> u64 {
    MOST_HELD.load(Relaxed)
}

/// Allocates memory for a block or a chunk, not zeroed. The layout is not empty.
pub(crate) fn allocate(layout: Layout) -> Result<NonNull<u8>, Error> {
    let wanted = layout.size() as u64;
    if let Some(limit) = settings::get().limit {
        reserve(wanted, limit)?;
    }
    // SAFETY: the layout is not empty.
    let memory = NonNull::new(unsafe { System.alloc(layout) });
    let limited = settings::get().limit.is_some();
    let Some(memory) = memory else {
        if limited {
            HELD.fetch_sub(wanted, Relaxed);
        }
        return Err(Error::OutOfMemory(wanted));
    };
    let now = if limited {
        HELD.load(Relaxed)
    } else {
        HELD.fetch_add(wanted, Relaxed) + wanted
    };
    if now > MOST_HELD.load(Relaxed) {
        MOST_HELD.fetch_max(now, Relaxed);
    }
    Ok(memory)
}

/// Counts bytes as held if that keeps the limit. Adding them first and subtracting them on failure would be wrong: in
/// between, a request of another thread could fail although it fits.
fn reserve(wanted: u64, limit: u64) -> Result<(), Error> {
    let fits = |held: u64| held.checked_add(wanted).filter(|sum| *sum <= limit);
    match HELD.fetch_update(Relaxed, Relaxed, fits) {
        Ok(_) => Ok(()),
        Err(held) => Err(Error::OverLimit {
            held,
            wanted,
            limit,
        }),
    }
}

/// Frees memory.
///
/// # Safety
/// The memory comes from [`allocate`] with this layout, and nobody uses it.
pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
    HELD.fetch_sub(layout.size() as u64, Relaxed);
    // SAFETY: as the caller says.
    unsafe { System.dealloc(memory.as_ptr(), layout) };
}
