//! Releasing blocks and chunks to the pool and the system.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{Block, SIZES, class_for, footprint};
use crate::chunk::Chunk;
use crate::header::Header;
use crate::{poison, pool, report, settings};

/// Largest class of the first block of a region: 4 KiB.
const MAX_FIRST_CLASS: usize = class_for(4 << 10);

/// Class of the first block of a region that grows larger: 1 KiB. Larger blocks follow it, and none of their
/// allocations fits in a first block of 4 KiB, so most of its bytes would be unused.
const FIRST_CLASS_OF_LARGE: usize = class_for(1 << 10);

/// Releases all memory of a region except the block `kept`. The position is 0 afterwards.
pub(crate) fn release_memory(header: &Header, handle: i64, kept: Option<NonNull<Block>>) {
    let newest = header.block.load(Relaxed);
    // SAFETY: the region's own.
    if let Some(block) = unsafe { newest.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(newest) };
        let class = class_for_all(block, header.next.load(Relaxed).addr() - base.addr());
        match kept {
            Some(_) => block.next_class = class,
            None => {
                let first_class = if class > MAX_FIRST_CLASS {
                    FIRST_CLASS_OF_LARGE
                } else {
                    class
                };
                header.first_class.store(first_class as u8, Relaxed);
            }
        }
    }
    pop_blocks(header, handle, null_mut(), kept);
    pop_chunks(header, null_mut());
    match kept {
        Some(block) => {
            // SAFETY: the region's own.
            unsafe {
                (*block.as_ptr()).previous = null_mut();
                (*block.as_ptr()).start = 0;
                (*block.as_ptr()).total = block.as_ref().size();
            }
            header.block.store(block.as_ptr(), Relaxed);
            header.fill_at(block.as_ptr(), 0);
            header.shift.store(
                (header.next.load(Relaxed).addr() as u64).wrapping_neg(),
                Relaxed,
            );
        }
        None => {
            header.fill_at(null_mut(), 0);
            header.shift.store(0, Relaxed);
        }
    }
}

/// Class of a block in which everything would fit that was cut from blocks: `filled` bytes of the newest block
/// `block`, and at most all bytes of those before it.
pub(crate) fn class_for_all(block: &Block, filled: usize) -> usize {
    class_for(block.total - SIZES[block.class] + filled)
}

/// Releases the blocks that are newer than `until`, or all if it is null. The block `kept` is not released, but
/// removed from the list. The caller sets the fill position.
pub(crate) fn pop_blocks(
    header: &Header,
    handle: i64,
    until: *mut Block,
    kept: Option<NonNull<Block>>,
) {
    let mut next = header.next.load(Relaxed).addr();
    let mut block = header.block.load(Relaxed);
    while block != until
        && let Some(popped) = NonNull::new(block)
    {
        // SAFETY: the region's own, and so is each before it.
        unsafe {
            poison_released(handle, block, 0, next - Block::base(block).addr());
            block = (*block).previous;
            if let Some(before) = block.as_ref() {
                next = Block::base(block).addr() + before.filled;
            }
            if Some(popped) != kept {
                header.count_released(&header.blocks, footprint(popped.as_ref().class));
                pool::release_block(popped);
            }
        }
    }
    header.block.store(block, Relaxed);
}

/// Releases the chunks that are newer than `until`, or all if it is null.
pub(crate) fn pop_chunks(header: &Header, until: *mut Chunk) {
    let mut chunk = header.chunk.load(Relaxed);
    while chunk != until
        && let Some(popped) = NonNull::new(chunk)
    {
        // SAFETY: the region's own, and so is each before it.
        unsafe {
            chunk = (*chunk).previous;
            header.count_released(&header.chunks, popped.as_ref().footprint());
            if settings::get().debug {
                poison::freed(Chunk::bytes(popped.as_ptr()), popped.as_ref().size);
            }
            Chunk::free(popped);
        }
    }
    header.chunk.store(chunk, Relaxed);
}

/// In debug mode, poisons the bytes from `from` to `filled` of a block, and checks that the rest is untouched.
///
/// # Safety
/// The block is the region's own, and nobody uses those bytes.
pub(crate) unsafe fn poison_released(handle: i64, block: *mut Block, from: usize, filled: usize) {
    if settings::get().debug {
        // SAFETY: the caller's.
        unsafe {
            let base = Block::base(block);
            check_untouched(handle, base.add(filled), (*block).size() - filled);
            poison::freed(base.add(from), filled - from);
        }
    }
}

/// Ends the process if bytes were written that are not allocated.
///
/// # Safety
/// The bytes are the region's own.
pub(crate) unsafe fn check_untouched(handle: i64, memory: *const u8, size: usize) {
    // SAFETY: the caller's.
    if let Some(at) = unsafe { poison::touched(memory, size) } {
        report::stray_write(handle, memory.wrapping_add(at));
    }
}
