//! What a thread keeps to use again: blocks of each size, and free headers. It goes back when the thread ends.

use std::cell::RefCell;
use std::ptr::{NonNull, null_mut};

use crate::block::{Block, CLASSES, footprint};
use crate::{Error, settings, table};

/// A thread may keep so many bytes of blocks, and more where its regions had more at once, up to [`MOST_KEPT`]. With a limit
/// it keeps none: all that is held is in use then, and the limit tells how much is needed.
const KEPT: usize = 2 << 20;

/// The most bytes of blocks that a thread keeps.
const MOST_KEPT: usize = 16 << 20;

/// The most headers that a thread keeps.
const MOST_HEADERS: usize = 64;

/// A block may have so many sizes more than is wanted: from 512 bytes on, half as many bytes more.
const LARGER: u32 = 4;

struct Pool {
    blocks: [*mut Block; CLASSES],
    /// For each size, a bit: whether there are any.
    there: u64,
    kept: usize,
    /// Bytes of blocks that it gave, without those that it was given back, and the most that ever were.
    out: usize,
    most_out: usize,
    headers: [u32; MOST_HEADERS],
    header_count: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const {
        RefCell::new(Pool {
            blocks: [null_mut(); CLASSES],
            there: 0,
            kept: 0,
            out: 0,
            most_out: 0,
            headers: [0; MOST_HEADERS],
            header_count: 0,
        })
    };
}

/// Does something with the thread's pool; nothing where the thread is past giving it back.
#[inline]
fn with<R>(act: impl FnOnce(&mut Pool) -> R) -> Option<R> {
    POOL.try_with(|pool| pool.try_borrow_mut().ok().map(|mut pool| act(&mut pool)))
        .ok()
        .flatten()
}

/// A block of a size, or a somewhat larger one, if the pool has one.
pub(crate) fn take_kept(class: usize) -> Option<NonNull<Block>> {
    with(|pool| pool.pop(class)).flatten()
}

/// Gives a block to the pool; false where it does not take it.
///
/// # Safety
/// Nobody uses it, and where the pool takes it, nobody will.
pub(crate) unsafe fn keep(block: NonNull<Block>) -> bool {
    settings::get().limit.is_none() && with(|pool| pool.push(block)) == Some(true)
}

/// A block of a size, or from the pool a somewhat larger one, or else from the system.
pub(crate) fn take_block(class: usize) -> Result<NonNull<Block>, Error> {
    match take_kept(class) {
        Some(block) => Ok(block),
        None => {
            let block = relieved(|| Block::take(class))?;
            with(|pool| pool.count_out(footprint(class)));
            Ok(block)
        }
    }
}

/// Gives a block to the pool, or to the system where that has enough.
///
/// # Safety
/// Nobody uses it.
pub(crate) unsafe fn give_block(block: NonNull<Block>) {
    // SAFETY: the caller's; where no pool has it, it is given away once.
    unsafe {
        if !keep(block) {
            with(|pool| pool.count_in(footprint(block.as_ref().class)));
            Block::give(block);
        }
    }
}

/// Memory of the system: where it has none, it is asked again once it has all blocks that this thread keeps.
pub(crate) fn relieved<T>(take: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    match take() {
        Err(Error::OutOfMemory(_)) => {
            empty();
            take()
        }
        taken => taken,
    }
}

/// Gives all blocks that this thread keeps to the system.
pub(crate) fn empty() {
    with(Pool::empty);
}

/// The index of a free header, from the pool or the table.
pub(crate) fn take_header() -> Result<u32, Error> {
    let kept = with(|pool| {
        if pool.header_count == 0 {
            // Half of them, so that making and releasing in turn does not go to the table each time.
            pool.header_count = table::take_free(&mut pool.headers[..MOST_HEADERS / 2]);
        }
        let last = pool.header_count.checked_sub(1)?;
        pool.header_count = last;
        Some(pool.headers[last])
    });
    match kept.flatten() {
        Some(index) => Ok(index),
        None => table::make(),
    }
}

/// Gives back a free header.
pub(crate) fn give_header(index: u32) {
    let given = with(|pool| {
        if pool.header_count == MOST_HEADERS {
            let half = MOST_HEADERS / 2;
            table::give_free(&pool.headers[half..]);
            pool.header_count = half;
        }
        pool.headers[pool.header_count] = index;
        pool.header_count += 1;
    });
    if given.is_none() {
        table::give_free(&[index]);
    }
}

impl Pool {
    fn pop(&mut self, class: usize) -> Option<NonNull<Block>> {
        let further = (self.there >> class).trailing_zeros();
        if further > LARGER {
            return None;
        }
        let class = class + further as usize;
        let block = NonNull::new(self.blocks[class])?;
        // SAFETY: a block in the pool is there, and the pool's alone.
        self.blocks[class] = unsafe { (*block.as_ptr()).before };
        self.there ^= u64::from(self.blocks[class].is_null()) << class;
        self.kept -= footprint(class);
        self.count_out(footprint(class));
        Some(block)
    }

    fn count_out(&mut self, bytes: usize) {
        self.out += bytes;
        self.most_out = self.most_out.max(self.out);
    }

    fn count_in(&mut self, bytes: usize) {
        // Another thread's pool may have given it.
        self.out = self.out.saturating_sub(bytes);
    }

    /// Whether it took the block.
    fn push(&mut self, block: NonNull<Block>) -> bool {
        // SAFETY: the block is there, and nobody else uses it.
        let head = unsafe { &mut *block.as_ptr() };
        let bytes = footprint(head.class);
        let kept = self.kept + bytes;
        if kept > self.most_out.clamp(KEPT, MOST_KEPT) {
            return false;
        }
        self.count_in(bytes);
        head.before = self.blocks[head.class];
        self.blocks[head.class] = block.as_ptr();
        self.there |= 1 << head.class;
        self.kept = kept;
        true
    }

    fn empty(&mut self) {
        for class in 0..CLASSES {
            while let Some(block) = self.pop(class) {
                // SAFETY: no pool has it any more, and nobody else uses it.
                unsafe {
                    // It may be larger than was asked for.
                    self.count_in(footprint(block.as_ref().class));
                    Block::give(block);
                }
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.empty();
        table::give_free(&self.headers[..self.header_count]);
        self.header_count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_of(blocks: usize) -> usize {
        std::thread::spawn(move || {
            let blocks: Vec<_> = (0..blocks)
                .map(|_| take_block(CLASSES - 1).unwrap())
                .collect();
            for block in blocks {
                // SAFETY: just taken.
                unsafe { give_block(block) };
            }
            // One at a time makes no difference.
            for _ in 0..100 {
                let block = take_block(CLASSES - 1).unwrap();
                // SAFETY: just taken.
                unsafe { give_block(block) };
            }
            let kept = with(|pool| {
                assert_eq!(pool.out, 0);
                pool.kept
            });
            empty();
            assert_eq!(with(|pool| (pool.kept, pool.out)), Some((0, 0)));
            kept.unwrap()
        })
        .join()
        .unwrap()
    }

    #[test]
    fn a_thread_keeps_what_it_needed_at_once_and_no_more() {
        let block = footprint(CLASSES - 1);
        for count in [1, 20, 40, 64] {
            assert_eq!(kept_of(count), count * block);
        }
        let kept = kept_of(MOST_KEPT / block + 20);
        assert!(kept <= MOST_KEPT && kept > MOST_KEPT - block);
    }

    #[test]
    fn a_block_that_the_pool_does_not_take_is_counted_once() {
        std::thread::spawn(|| {
            let block = footprint(CLASSES - 1);
            let many = 2 * MOST_KEPT / block;
            let blocks: Vec<_> = (0..many)
                .map(|_| take_block(CLASSES - 1).unwrap())
                .collect();
            for (given, one) in blocks.into_iter().enumerate() {
                // SAFETY: just taken. The first try is that of a region that is emptied.
                unsafe {
                    if !keep(one) {
                        give_block(one);
                    }
                }
                assert_eq!(with(|pool| pool.out), Some((many - given - 1) * block));
            }
            empty();
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_larger_block_is_used_again_if_it_is_little_larger() {
        std::thread::spawn(|| {
            let class = 10;
            let larger = LARGER as usize;
            let blocks = [0, larger, larger + 1].map(|more| take_block(class + more).unwrap());
            for block in blocks {
                // SAFETY: just taken.
                unsafe { give_block(block) };
            }
            let again = [0; 3].map(|_| take_block(class).unwrap());
            assert_eq!(again[..2], blocks[..2]);
            // SAFETY: as above.
            let classes = again.map(|block| unsafe { block.as_ref() }.class);
            assert_eq!(classes, [class, class + larger, class]);
            for block in again {
                // SAFETY: just taken.
                unsafe { give_block(block) };
            }
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_block_is_used_again() {
        std::thread::spawn(|| {
            let first = take_block(0).unwrap();
            // SAFETY: just taken.
            unsafe { give_block(first) };
            assert_eq!(take_block(0).unwrap(), first);
            // SAFETY: just taken.
            unsafe { give_block(first) };
        })
        .join()
        .unwrap();
    }
}
