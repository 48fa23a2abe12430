//! The cache of a thread: blocks of each class, and free headers. When the thread ends, its cache is released.

use std::cell::RefCell;
use std::ptr::{NonNull, null_mut};

use crate::block::{Block, CLASSES, footprint};
use crate::{Error, header_table, settings};

/// The bytes of blocks that a thread may cache in any case. It may cache as many as its regions had at their peak, up
/// to [`MAX_CACHED`]. With a limit it caches none: then all memory that is held is in use, and the limit that a
/// program needs can be measured.
const MIN_CACHED: usize = 2 << 20;

/// The most bytes of blocks that a thread caches.
const MAX_CACHED: usize = 16 << 20;

/// The most headers that a thread caches.
const MAX_HEADERS_CACHED: usize = 64;

/// A block from the cache may be this many classes larger than requested: from 512 bytes on, that is half as many
/// bytes more.
const MAX_CLASS_EXCESS: u32 = 4;

struct Pool {
    blocks: [*mut Block; CLASSES],
    /// One bit for each class: is there a block of it?
    nonempty: u64,
    cached_bytes: usize,
    /// Bytes of the blocks that the thread's regions took and did not return, and their peak.
    in_use: usize,
    peak_in_use: usize,
    headers: [u32; MAX_HEADERS_CACHED],
    header_count: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const {
        RefCell::new(Pool {
            blocks: [null_mut(); CLASSES],
            nonempty: 0,
            cached_bytes: 0,
            in_use: 0,
            peak_in_use: 0,
            headers: [0; MAX_HEADERS_CACHED],
            header_count: 0,
        })
    };
}

/// Runs `act` on the thread's pool; `None` if the thread has already dropped it.
#[inline]
fn with<R>(act: impl FnOnce(&mut Pool) -> R) -> Option<R> {
    POOL.try_with(|pool| pool.try_borrow_mut().ok().map(|mut pool| act(&mut pool)))
        .ok()
        .flatten()
}

/// A cached block of a class, or of a slightly larger one.
pub(crate) fn take_cached(class: usize) -> Option<NonNull<Block>> {
    with(|pool| pool.pop(class)).flatten()
}

/// Adds a block to the cache; false if it is full, or if there is a limit.
///
/// # Safety
/// Nobody uses the block, and nobody will if the cache takes it.
pub(crate) unsafe fn cache(block: NonNull<Block>) -> bool {
    settings::get().limit.is_none() && with(|pool| pool.push(block)) == Some(true)
}

/// A block of a class, or a slightly larger one from the cache. Allocates one from the system if the cache has none.
pub(crate) fn take_block(class: usize) -> Result<NonNull<Block>, Error> {
    match take_cached(class) {
        Some(block) => Ok(block),
        None => {
            let block = retry_without_cache(|| Block::allocate(class))?;
            with(|pool| pool.count_taken(footprint(class)));
            Ok(block)
        }
    }
}

/// Releases a block to the cache, or to the system if the cache is full.
///
/// # Safety
/// Nobody uses the block.
pub(crate) unsafe fn release_block(block: NonNull<Block>) {
    // SAFETY: the caller's; a block that the cache does not take is freed once.
    unsafe {
        if !cache(block) {
            with(|pool| pool.count_returned(footprint(block.as_ref().class)));
            Block::free(block);
        }
    }
}

/// Allocates from the system. If the system has no memory, frees all cached blocks of this thread and tries again.
pub(crate) fn retry_without_cache<T>(take: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    match take() {
        Err(Error::OutOfMemory(_)) => {
            empty();
            take()
        }
        taken => taken,
    }
}

/// Frees all cached blocks of this thread.
pub(crate) fn empty() {
    with(Pool::empty);
}

/// The index of a free header, from the cache or the table.
pub(crate) fn take_header() -> Result<u32, Error> {
    let kept = with(|pool| {
        if pool.header_count == 0 {
            // Half of the cache, so that making and releasing regions alternately does not access the table each
            // time.
            pool.header_count =
                header_table::take_free(&mut pool.headers[..MAX_HEADERS_CACHED / 2]);
        }
        let last = pool.header_count.checked_sub(1)?;
        pool.header_count = last;
        Some(pool.headers[last])
    });
    match kept.flatten() {
        Some(index) => Ok(index),
        None => header_table::new_header(),
    }
}

/// Returns a header to the cache, or to the table if the thread has dropped its cache.
pub(crate) fn release_header(index: u32) {
    let given = with(|pool| {
        if pool.header_count == MAX_HEADERS_CACHED {
            let half = MAX_HEADERS_CACHED / 2;
            header_table::put_free(&pool.headers[half..]);
            pool.header_count = half;
        }
        pool.headers[pool.header_count] = index;
        pool.header_count += 1;
    });
    if given.is_none() {
        header_table::put_free(&[index]);
    }
}

impl Pool {
    fn pop(&mut self, class: usize) -> Option<NonNull<Block>> {
        let further = (self.nonempty >> class).trailing_zeros();
        if further > MAX_CLASS_EXCESS {
            return None;
        }
        let class = class + further as usize;
        let block = NonNull::new(self.blocks[class])?;
        // SAFETY: a block in the pool is allocated, and belongs to the pool alone.
        self.blocks[class] = unsafe { (*block.as_ptr()).previous };
        self.nonempty ^= u64::from(self.blocks[class].is_null()) << class;
        self.cached_bytes -= footprint(class);
        self.count_taken(footprint(class));
        Some(block)
    }

    fn count_taken(&mut self, bytes: usize) {
        self.in_use += bytes;
        self.peak_in_use = self.peak_in_use.max(self.in_use);
    }

    fn count_returned(&mut self, bytes: usize) {
        // The block may come from another thread's pool.
        self.in_use = self.in_use.saturating_sub(bytes);
    }

    /// Adds a block; false if the pool is full.
    fn push(&mut self, block: NonNull<Block>) -> bool {
        // SAFETY: the block is allocated, and nobody else uses it.
        let head = unsafe { &mut *block.as_ptr() };
        let bytes = footprint(head.class);
        let kept = self.cached_bytes + bytes;
        if kept > self.peak_in_use.clamp(MIN_CACHED, MAX_CACHED) {
            return false;
        }
        self.count_returned(bytes);
        head.previous = self.blocks[head.class];
        self.blocks[head.class] = block.as_ptr();
        self.nonempty |= 1 << head.class;
        self.cached_bytes = kept;
        true
    }

    fn empty(&mut self) {
        for class in 0..CLASSES {
            while let Some(block) = self.pop(class) {
                // SAFETY: the block is no longer in the pool, and nobody else uses it.
                unsafe {
                    // The block may be larger than `class`.
                    self.count_returned(footprint(block.as_ref().class));
                    Block::free(block);
                }
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.empty();
        header_table::put_free(&self.headers[..self.header_count]);
        self.header_count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cached_after(blocks: usize) -> usize {
        std::thread::spawn(move || {
            let blocks: Vec<_> = (0..blocks)
                .map(|_| take_block(CLASSES - 1).unwrap())
                .collect();
            for block in blocks {
                // SAFETY: just allocated.
                unsafe { release_block(block) };
            }
            // Taking one block at a time does not change the peak.
            for _ in 0..100 {
                let block = take_block(CLASSES - 1).unwrap();
                // SAFETY: just allocated.
                unsafe { release_block(block) };
            }
            let kept = with(|pool| {
                assert_eq!(pool.in_use, 0);
                pool.cached_bytes
            });
            empty();
            assert_eq!(with(|pool| (pool.cached_bytes, pool.in_use)), Some((0, 0)));
            kept.unwrap()
        })
        .join()
        .unwrap()
    }

    #[test]
    fn a_thread_caches_its_peak_up_to_the_limit() {
        let block = footprint(CLASSES - 1);
        for count in [1, 20, 40, 64] {
            assert_eq!(cached_after(count), count * block);
        }
        let kept = cached_after(MAX_CACHED / block + 20);
        assert!(kept <= MAX_CACHED && kept > MAX_CACHED - block);
    }

    #[test]
    fn a_block_that_the_pool_refuses_is_counted_once() {
        std::thread::spawn(|| {
            let block = footprint(CLASSES - 1);
            let many = 2 * MAX_CACHED / block;
            let blocks: Vec<_> = (0..many)
                .map(|_| take_block(CLASSES - 1).unwrap())
                .collect();
            for (given, one) in blocks.into_iter().enumerate() {
                // SAFETY: just allocated. Emptying a region tries the cache first, too.
                unsafe {
                    if !cache(one) {
                        release_block(one);
                    }
                }
                assert_eq!(with(|pool| pool.in_use), Some((many - given - 1) * block));
            }
            empty();
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_slightly_larger_block_is_reused() {
        std::thread::spawn(|| {
            let class = 10;
            let larger = MAX_CLASS_EXCESS as usize;
            let blocks = [0, larger, larger + 1].map(|more| take_block(class + more).unwrap());
            for block in blocks {
                // SAFETY: just allocated.
                unsafe { release_block(block) };
            }
            let again = [0; 3].map(|_| take_block(class).unwrap());
            assert_eq!(again[..2], blocks[..2]);
            // SAFETY: as above.
            let classes = again.map(|block| unsafe { block.as_ref() }.class);
            assert_eq!(classes, [class, class + larger, class]);
            for block in again {
                // SAFETY: just allocated.
                unsafe { release_block(block) };
            }
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_block_is_reused() {
        std::thread::spawn(|| {
            let first = take_block(0).unwrap();
            // SAFETY: just allocated.
            unsafe { release_block(first) };
            assert_eq!(take_block(0).unwrap(), first);
            // SAFETY: just allocated.
            unsafe { release_block(first) };
        })
        .join()
        .unwrap();
    }
}
