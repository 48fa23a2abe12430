//! Blocks, from which allocations are cut one behind the other.

use std::alloc::Layout;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, poison, settings, system};

/// How many sizes of blocks there are.
pub(crate) const CLASSES: usize = 9;

/// What fits in a block of each size, in bytes: from 256 to 64 KiB.
pub(crate) const SIZES: [usize; CLASSES] = {
    let mut sizes = [256; CLASSES];
    let mut class = 1;
    while class < CLASSES {
        sizes[class] = 2 * sizes[class - 1];
        class += 1;
    }
    sizes
};

/// The smallest size, from one on, in which so many bytes fit; the largest where none is enough.
pub(crate) fn fitting(bytes: usize, least: usize) -> usize {
    let mut classes = least..CLASSES;
    classes
        .find(|class| SIZES[*class] >= bytes)
        .unwrap_or(CLASSES - 1)
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
    /// The least size of the one that is opened behind it.
    pub next: usize,
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
            next: class,
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

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        SIZES[self.class]
    }
}
