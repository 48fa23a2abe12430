//! Giving blocks and chunks back.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{Block, SIZES, fitting, footprint};
use crate::chunk::Chunk;
use crate::header::Header;
use crate::{poison, pool, report, settings};

/// The largest size of a first block, as a class: 4 KiB.
const FIRST: usize = fitting(4 << 10);

/// That of the first block of a region that takes more, as a class: 1 KiB. A block of 4 KiB in front of larger ones, of
/// which none fits in it, would be held for nothing.
const FIRST_OF_MANY: usize = fitting(1 << 10);

/// Gives back all memory but for one block, where that is wanted. The position is 0 then.
pub(crate) fn give_back(header: &Header, handle: i64, kept: Option<NonNull<Block>>) {
    let newest = header.block.load(Relaxed);
    // SAFETY: the region's own.
    if let Some(block) = unsafe { newest.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(newest) };
        let grown = grown(block, header.next.load(Relaxed).addr() - base.addr());
        match kept {
            Some(_) => block.next = grown,
            None => {
                let first = if grown > FIRST { FIRST_OF_MANY } else { grown };
                header.first.store(first as u8, Relaxed);
            }
        }
    }
    pop_blocks(header, handle, null_mut(), kept);
    pop_chunks(header, null_mut());
    match kept {
        Some(block) => {
            // SAFETY: the region's own.
            unsafe {
                (*block.as_ptr()).before = null_mut();
                (*block.as_ptr()).start = 0;
                (*block.as_ptr()).all = block.as_ref().size();
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

/// The size of a block in which all would fit that has been cut from blocks: up to `filled` from the newest, and at most
/// all that those before it have.
pub(crate) fn grown(block: &Block, filled: usize) -> usize {
    fitting(block.all - SIZES[block.class] + filled)
}

/// Gives back the blocks that are newer than one of them, or all; one may be left out of it, whose bytes are then
/// nobody's. The caller says where filling goes on.
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
            wipe(handle, block, 0, next - Block::base(block).addr());
            block = (*block).before;
            if let Some(before) = block.as_ref() {
                next = Block::base(block).addr() + before.filled;
            }
            if Some(popped) != kept {
                header.count_given(&header.blocks, footprint(popped.as_ref().class));
                pool::give_block(popped);
            }
        }
    }
    header.block.store(block, Relaxed);
}

/// Gives back the chunks that are newer than one of them, or all.
pub(crate) fn pop_chunks(header: &Header, until: *mut Chunk) {
    let mut chunk = header.chunk.load(Relaxed);
    while chunk != until
        && let Some(popped) = NonNull::new(chunk)
    {
        // SAFETY: the region's own, and so is each before it.
        unsafe {
            chunk = (*chunk).before;
            header.count_given(&header.chunks, popped.as_ref().footprint());
            if settings::get().debug {
                poison::freed(Chunk::bytes(popped.as_ptr()), popped.as_ref().size);
            }
            Chunk::give(popped);
        }
    }
    header.chunk.store(chunk, Relaxed);
}

/// In debug, writes over what is given back of a block, from its byte `from` on up to `filled`, and looks at the rest.
///
/// # Safety
/// The block is the region's own, and nobody uses those bytes.
pub(crate) unsafe fn wipe(handle: i64, block: *mut Block, from: usize, filled: usize) {
    if settings::get().debug {
        // SAFETY: the caller's.
        unsafe {
            let base = Block::base(block);
            intact(handle, base.add(filled), (*block).size() - filled);
            poison::freed(base.add(from), filled - from);
        }
    }
}

/// Ends the process where bytes were written that are not allocated.
///
/// # Safety
/// They are the region's own.
pub(crate) unsafe fn intact(handle: i64, memory: *const u8, size: usize) {
    // SAFETY: the caller's.
    if let Some(at) = unsafe { poison::touched(memory, size) } {
        report::written(handle, memory.wrapping_add(at));
    }
}
