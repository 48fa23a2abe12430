//! Memory of the system, counted, and never more than the limit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, pool, settings};

static HELD: AtomicU64 = AtomicU64::new(0);
static MOST_HELD: AtomicU64 = AtomicU64::new(0);

/// How many bytes the process holds for regions: in regions, and in the pools of threads.
pub(crate) fn held() -> u64 {
    HELD.load(Ordering::Relaxed)
}

/// The most it ever held.
pub(crate) fn most_held() -> u64 {
    MOST_HELD.load(Ordering::Relaxed)
}

/// Memory for a block or a chunk, not zeroed. The layout is not empty.
pub(crate) fn take(layout: Layout) -> Result<NonNull<u8>, Error> {
    let wanted = layout.size() as u64;
    let before = HELD.fetch_add(wanted, Ordering::Relaxed);
    if let Some(limit) = settings::get().limit
        && before.saturating_add(wanted) > limit
    {
        HELD.fetch_sub(wanted, Ordering::Relaxed);
        return Err(Error::OverLimit {
            held: before,
            wanted,
            limit,
        });
    }
    // SAFETY: the layout is not empty.
    let mut memory = NonNull::new(unsafe { System.alloc(layout) });
    if memory.is_none() {
        pool::empty();
        // SAFETY: as above.
        memory = NonNull::new(unsafe { System.alloc(layout) });
    }
    match memory {
        Some(memory) => {
            let now = before + wanted;
            if now > MOST_HELD.load(Ordering::Relaxed) {
                MOST_HELD.fetch_max(now, Ordering::Relaxed);
            }
            Ok(memory)
        }
        None => {
            HELD.fetch_sub(wanted, Ordering::Relaxed);
            Err(Error::OutOfMemory(wanted))
        }
    }
}

/// Gives memory back.
///
/// # Safety
/// [`take`] gave it for this layout, and nobody uses it.
pub(crate) unsafe fn give(memory: NonNull<u8>, layout: Layout) {
    HELD.fetch_sub(layout.size() as u64, Ordering::Relaxed);
    // SAFETY: as the caller says.
    unsafe { System.dealloc(memory.as_ptr(), layout) };
}
