//! Marks, and releasing memory to them.

use std::sync::atomic::Ordering::Relaxed;

use crate::block::{Block, class_for};
use crate::chunk::Chunk;
use crate::fast_path::release_in_block;
use crate::header::Header;
use crate::references::release_all;
use crate::release::{poison_released, pop_blocks, pop_chunks};
use crate::{Error, header_table, mark_bits, parents};

/// A mark at the current position.
pub(crate) fn mark(handle: i64) -> Result<i64, Error> {
    let header = header_table::alive(handle)?;
    let _filling = header.begin_filling()?;
    let clears = header.clears.load(Relaxed);
    Ok(mark_bits::encode(clears, header.position()))
}

/// Frees the memory after a mark, as [`Region::release_to`](crate::Region::release_to) documents.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses memory that was allocated after the mark.
#[inline]
pub(crate) unsafe fn release_to(handle: i64, mark: i64) -> Result<(), Error> {
    // SAFETY: the caller's.
    unsafe {
        match release_in_block(handle, mark) {
            Some(()) => Ok(()),
            None => release_slowly(handle, mark),
        }
    }
}

/// [`release_to`] where blocks, chunks or parents were added after the mark.
///
/// # Safety
/// As for [`release_to`].
#[inline(never)]
unsafe fn release_slowly(handle: i64, mark: i64) -> Result<(), Error> {
    let header = header_table::alive(handle)?;
    let filling = header.begin_filling()?;
    let mark = u64::try_from(mark).map_err(|_| Error::NotAMark)?;
    if !mark_bits::is_after(mark, header.clears.load(Relaxed)) {
        return Err(Error::NotAMark);
    }
    let target = mark_bits::position(mark);
    let position = header.position();
    if target > position {
        return Err(Error::MarkAhead);
    }
    if target == position {
        return Ok(());
    }
    let KeptPrefix {
        block,
        chunk,
        filled,
        was_filled,
    } = kept_prefix(header, target)?;
    let bytes = header.bytes();
    let parents = parents::take_added_since(header, target);
    header.count_released_bytes(bytes, target - u64::from(header.parent_count.load(Relaxed)));
    let newest = header.block.load(Relaxed);
    if newest != block {
        // SAFETY: the region's own.
        let both = unsafe { (newest.as_ref(), block.as_mut()) };
        // The block after the mark is large enough next time for all that was allocated after it.
        if let (Some(newest), Some(kept)) = both {
            kept.next_class = class_for(newest.total - kept.total);
        }
    }
    pop_blocks(header, handle, block, None);
    pop_chunks(header, chunk);
    if !block.is_null() {
        // SAFETY: the region's own.
        unsafe { poison_released(handle, block, filled, was_filled) };
    }
    header.fill_at(block, filled);
    let next = header.next.load(Relaxed).addr() as u64;
    header.shift.store(target.wrapping_sub(next), Relaxed);
    drop(filling);
    release_all(parents)
}

/// The newest memory that stays after a release to a mark.
pub(crate) struct KeptPrefix {
    /// The newest block; null if none stays.
    block: *mut Block,
    /// The newest chunk; null if none stays.
    chunk: *mut Chunk,
    /// Bytes of the block that stay filled.
    filled: usize,
    /// Bytes of the block that are filled now.
    was_filled: usize,
}

/// Finds the memory that stays before a mark. Changes nothing.
///
/// # Errors
/// [`Error::NotAMark`] if `target` is no position that a mark can have.
pub(crate) fn kept_prefix(header: &Header, target: u64) -> Result<KeptPrefix, Error> {
    let mut block = header.block.load(Relaxed);
    let mut next = header.next.load(Relaxed).addr();
    let (mut base, mut start) = (0, 0);
    // SAFETY: blocks are the region's own. A block that was opened exactly at the mark stays, empty.
    while let Some(head) = unsafe { block.as_ref() } {
        if head.start <= target {
            // SAFETY: as above.
            base = unsafe { Block::base(block) }.addr();
            start = head.start;
            break;
        }
        block = head.previous;
        next = 0;
        // SAFETY: as above.
        if let Some(before) = unsafe { block.as_ref() } {
            // SAFETY: as above.
            next = unsafe { Block::base(block) }.addr() + before.filled;
        }
    }
    if block.is_null() {
        next = 0;
    }
    let mut chunk = header.chunk.load(Relaxed);
    // SAFETY: chunks are the region's own.
    while let Some(head) = unsafe { chunk.as_ref() }
        && head.position >= target
    {
        chunk = head.previous;
    }
    // While a block is being filled, the shift only grows, by chunks and parents. So at the mark it was the shift of
    // the last of them before the mark, or that of the block if none was added since it was opened.
    let mut shift = start.wrapping_sub(base as u64) as i64;
    // SAFETY: as above.
    if let Some(head) = unsafe { chunk.as_ref() } {
        if head.position + head.size as u64 > target {
            return Err(Error::NotAMark);
        }
        if head.position >= start {
            shift = shift.max(head.shift as i64);
        }
    }
    if let Some((position, after)) = parents::last_before(header, target)
        && position >= start
    {
        shift = shift.max(after as i64);
    }
    let at = target.wrapping_sub(shift as u64);
    if at < base as u64 || at > next as u64 {
        return Err(Error::NotAMark);
    }
    Ok(KeptPrefix {
        block,
        chunk,
        filled: at as usize - base,
        was_filled: next - base,
    })
}
