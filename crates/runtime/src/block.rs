//! Blocks, from which allocations are cut one behind the other.

use std::alloc::Layout;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, poison, settings, system};

/// How many sizes of blocks there are.
pub(crate) const CLASSES: usize = 64;

/// From 512 bytes on, so many sizes lie between one and twice as much, so that less than an eighth of a block is left over
/// where one request is all that it is for. Below, they are 64 bytes apart.
const STEPS: usize = 8;

/// What fits in a block of each size, in bytes: from 64 to 64 KiB.
pub(crate) const SIZES: [usize; CLASSES] = {
    let mut sizes = [ALIGNMENT; CLASSES];
    let mut class = 1;
    while class < CLASSES {
        // A step is that of the first sizes, and doubles behind each row of them.
        let row = class / STEPS;
        let step = ALIGNMENT << row.saturating_sub(1);
        sizes[class] = sizes[class - 1] + step;
        class += 1;
    }
    sizes
};

/// The smallest size in which so many bytes fit; the largest where none is enough.
pub(crate) const fn fitting(bytes: usize) -> usize {
    let last = bytes.saturating_sub(1);
    let row = (last / (STEPS * ALIGNMENT)).checked_ilog2();
    let class = match row {
        None => last / ALIGNMENT,
        // The first `STEPS` steps of a row are those of the rows before it.
        Some(row) => STEPS * row as usize + ((last / ALIGNMENT) >> row),
    };
    if class < CLASSES { class } else { CLASSES - 1 }
}

/// How blocks, and what is behind their heads, are aligned.
pub(crate) const ALIGNMENT: usize = 64;

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// How many blocks the system gave.
pub(crate) fn taken() -> u64 {
    TAKEN.load(Ordering::Relaxed)
}

/// The head of a block; its bytes lie behind it.
#[repr(C, align(64))]
pub(crate) struct Block {
    /// The block that was filled before, or the next in a pool.
    pub before: *mut Block,
    /// Where the region was when the block was opened.
    pub start: u64,
    /// How many bytes of it were filled when the next block was opened.
    pub filled: usize,
    /// Which of [`SIZES`] it has.
    pub class: usize,
    /// The least size of the one that is opened behind it, where that is known of before.
    pub next: usize,
    /// What fits in it and in those before it, in bytes.
    pub all: usize,
}

const HEAD: usize = size_of::<Block>();

/// How many bytes of the system a block of a size takes.
pub(crate) const fn footprint(class: usize) -> usize {
    HEAD + SIZES[class]
}

fn layout(class: usize) -> Layout {
    // SAFETY: the alignment is a power of two, and the sizes are small.
    unsafe { Layout::from_size_align_unchecked(footprint(class), ALIGNMENT) }
}

impl Block {
    /// A block of the system's.
    pub fn take(class: usize) -> Result<NonNull<Self>, Error> {
        let block = system::take(layout(class))?.cast::<Self>();
        let head = Self {
            before: null_mut(),
            start: 0,
            filled: 0,
            class,
            next: 0,
            all: SIZES[class],
        };
        // SAFETY: the memory is for a head and the bytes behind it, and ours.
        unsafe {
            block.write(head);
            if settings::get().debug {
                poison::freed(Self::base(block.as_ptr()), SIZES[class]);
            }
        }
        TAKEN.fetch_add(1, Ordering::Relaxed);
        Ok(block)
    }

    /// Gives a block back to the system.
    ///
    /// # Safety
    /// [`Block::take`] gave it, and nobody uses it.
    pub unsafe fn give(block: NonNull<Self>) {
        // SAFETY: the caller's.
        unsafe { system::give(block.cast(), layout((*block.as_ptr()).class)) };
    }

    /// The first of its bytes.
    ///
    /// # Safety
    /// The block is there.
    pub unsafe fn base(block: *mut Self) -> *mut u8 {
        // SAFETY: the bytes lie behind the head, in the same memory.
        unsafe { block.cast::<u8>().add(HEAD) }
    }

    /// It is the first of a region that is empty.
    pub fn open_first(&mut self) {
        self.before = null_mut();
        self.start = 0;
        self.filled = 0;
        self.next = 0;
        self.all = self.size();
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        SIZES[self.class]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_fits_is_found() {
        assert_eq!((SIZES[0], SIZES[CLASSES - 1]), (64, 64 << 10));
        for bytes in 0..=SIZES[CLASSES - 1] {
            let smallest = SIZES.iter().position(|size| *size >= bytes);
            assert_eq!(Some(fitting(bytes)), smallest, "{bytes}");
        }
        assert_eq!(fitting(usize::MAX), CLASSES - 1);
    }

    #[test]
    fn little_is_left_over() {
        for bytes in 513..=SIZES[CLASSES - 1] {
            assert!((SIZES[fitting(bytes)] - bytes) * 8 < bytes, "{bytes}");
        }
    }
}
