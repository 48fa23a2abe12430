//! Marks, and the way back to them.

use std::sync::atomic::Ordering::Relaxed;

use crate::block::{Block, fitting};
use crate::chunk::Chunk;
use crate::give::{pop_blocks, pop_chunks, wipe};
use crate::header::Header;
use crate::references::release_all;
use crate::usual::release_in_block;
use crate::{Error, mark_bits, parents, table};

/// Where the region is.
pub(crate) fn mark(handle: i64) -> Result<i64, Error> {
    let header = table::alive(handle)?;
    let _filling = header.fill()?;
    let clears = header.clears.load(Relaxed);
    Ok(mark_bits::encode(clears, header.position()))
}

/// Gives back what is behind a mark, as [`Region::release_to`] says.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is behind the mark.
#[inline]
pub(crate) unsafe fn release_to(handle: i64, mark: i64) -> Result<(), Error> {
    // SAFETY: the caller's.
    unsafe {
        match release_in_block(handle, mark) {
            Some(()) => Ok(()),
            None => release_far(handle, mark),
        }
    }
}

/// Behind chunks, parents or blocks.
///
/// # Safety
/// As for [`release_to`].
#[inline(never)]
unsafe fn release_far(handle: i64, mark: i64) -> Result<(), Error> {
    let header = table::alive(handle)?;
    let filling = header.fill()?;
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
    let Back {
        block,
        chunk,
        filled,
        was_filled,
    } = back(header, target)?;
    let bytes = header.bytes();
    let parents = parents::take_behind(header, target);
    header.count_giving_back(bytes, target - u64::from(header.parent_count.load(Relaxed)));
    let newest = header.block.load(Relaxed);
    if newest != block {
        // SAFETY: the region's own.
        let both = unsafe { (newest.as_ref(), block.as_mut()) };
        // What comes behind the mark next time is as much again.
        if let (Some(newest), Some(kept)) = both {
            kept.next = fitting(newest.all - kept.all);
        }
    }
    pop_blocks(header, handle, block, None);
    pop_chunks(header, chunk);
    if !block.is_null() {
        // SAFETY: the region's own.
        unsafe { wipe(handle, block, filled, was_filled) };
    }
    header.fill_at(block, filled);
    let next = header.next.load(Relaxed).addr() as u64;
    header.shift.store(target.wrapping_sub(next), Relaxed);
    drop(filling);
    release_all(parents)
}

/// What stays in front of a mark.
pub(crate) struct Back {
    /// The newest block; null without.
    block: *mut Block,
    /// The newest chunk; null without.
    chunk: *mut Chunk,
    /// How much of the block stays.
    filled: usize,
    /// How much of it is filled now.
    was_filled: usize,
}

/// Finds what stays in front of a mark, which is behind none of it; changes nothing.
pub(crate) fn back(header: &Header, target: u64) -> Result<Back, Error> {
    let mut block = header.block.load(Relaxed);
    let mut next = header.next.load(Relaxed).addr();
    let (mut base, mut start) = (0, 0);
    // SAFETY: blocks are the region's own. One that was opened right at the mark stays, empty.
    while let Some(head) = unsafe { block.as_ref() } {
        if head.start <= target {
            // SAFETY: as above.
            base = unsafe { Block::base(block) }.addr();
            start = head.start;
            break;
        }
        block = head.before;
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
        chunk = head.before;
    }
    // While a block is filled, the shift only grows, by chunks and parents: at the mark it was that of the last of
    // them in front of it, if that came behind the opening of the block.
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
    Ok(Back {
        block,
        chunk,
        filled: at as usize - base,
        was_filled: next - base,
    })
}
