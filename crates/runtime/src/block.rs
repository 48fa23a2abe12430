//! Blocks: fixed-size pieces of memory from which a region cuts consecutive allocations.

use std::alloc::Layout;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, poison, settings, system_memory};

/// Number of block sizes.
pub(crate) const CLASSES: usize = 64;

/// Size classes per doubling, from 512 bytes on. So a block that serves one request wastes less than an eighth of its
/// bytes. Below 512 bytes, the classes are 64 bytes apart.
const STEPS: usize = 8;

/// Usable bytes of a block of each class: from 64 bytes to 64 KiB.
pub(crate) const SIZES: [usize; CLASSES] = {
    let mut sizes = [ALIGNMENT; CLASSES];
    let mut class = 1;
    while class < CLASSES {
        // The distance between classes is `ALIGNMENT` at first, and doubles after each row of `STEPS` classes.
        let row = class / STEPS;
        let step = ALIGNMENT << row.saturating_sub(1);
        sizes[class] = sizes[class - 1] + step;
        class += 1;
    }
    sizes
};

/// The smallest class whose blocks have `bytes` usable bytes; the largest class if none has.
pub(crate) const fn class_for(bytes: usize) -> usize {
    let last = bytes.saturating_sub(1);
    let row = (last / (STEPS * ALIGNMENT)).checked_ilog2();
    let class = match row {
        None => last / ALIGNMENT,
        // The first `STEPS` classes of a row are those of the rows before it.
        Some(row) => STEPS * row as usize + ((last / ALIGNMENT) >> row),
    };
    if class < CLASSES { class } else { CLASSES - 1 }
}

/// Alignment of a block and of its usable bytes.
pub(crate) const ALIGNMENT: usize = 64;

static FROM_SYSTEM: AtomicU64 = AtomicU64::new(0);

/// Number of blocks that were ever allocated from the system.
pub(crate) fn allocated_from_system() -> u64 {
    FROM_SYSTEM.load(Ordering::Relaxed)
}

/// The head of a block. The usable bytes follow it.
#[repr(C, align(64))]
pub(crate) struct Block {
    /// The block that the region filled before this one, or the next block in a pool.
    pub previous: *mut Block,
    /// Position of the region when the block was opened.
    pub start: u64,
    /// Bytes of this block that were filled when the next block was opened.
    pub filled: usize,
    /// Index into [`SIZES`].
    pub class: usize,
    /// Least class of the block that is opened after this one, if that is known in advance; otherwise 0.
    pub next_class: usize,
    /// Usable bytes of this block and of all before it.
    pub total: usize,
}

const HEAD: usize = size_of::<Block>();

/// Bytes of system memory that a block of a class takes, with its head.
pub(crate) const fn footprint(class: usize) -> usize {
    HEAD + SIZES[class]
}

fn layout(class: usize) -> Layout {
    // SAFETY: the alignment is a power of two, and the sizes are small.
    unsafe { Layout::from_size_align_unchecked(footprint(class), ALIGNMENT) }
}

impl Block {
    /// Allocates a block from the system.
    pub fn allocate(class: usize) -> Result<NonNull<Self>, Error> {
        let block = system_memory::allocate(layout(class))?.cast::<Self>();
        let head = Self {
            previous: null_mut(),
            start: 0,
            filled: 0,
            class,
            next_class: 0,
            total: SIZES[class],
        };
        // SAFETY: the memory is ours, and large enough for a head and the bytes after it.
        unsafe {
            block.write(head);
            if settings::get().debug {
                poison::freed(Self::base(block.as_ptr()), SIZES[class]);
            }
        }
        FROM_SYSTEM.fetch_add(1, Ordering::Relaxed);
        Ok(block)
    }

    /// Returns a block to the system.
    ///
    /// # Safety
    /// The block comes from [`Block::allocate`], and nobody uses it.
    pub unsafe fn free(block: NonNull<Self>) {
        // SAFETY: the caller's.
        unsafe { system_memory::free(block.cast(), layout((*block.as_ptr()).class)) };
    }

    /// The first usable byte of a block.
    ///
    /// # Safety
    /// The block is allocated.
    pub unsafe fn base(block: *mut Self) -> *mut u8 {
        // SAFETY: the bytes follow the head in the same memory.
        unsafe { block.cast::<u8>().add(HEAD) }
    }

    /// Resets the head to that of the first block of an empty region.
    pub fn reset_as_first(&mut self) {
        self.previous = null_mut();
        self.start = 0;
        self.filled = 0;
        self.next_class = 0;
        self.total = self.size();
    }

    /// Usable bytes.
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
            assert_eq!(Some(class_for(bytes)), smallest, "{bytes}");
        }
        assert_eq!(class_for(usize::MAX), CLASSES - 1);
    }

    #[test]
    fn little_is_left_over() {
        for bytes in 513..=SIZES[CLASSES - 1] {
            assert!((SIZES[class_for(bytes)] - bytes) * 8 < bytes, "{bytes}");
        }
    }
}
