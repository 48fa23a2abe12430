//! Fast paths: the most frequent operations in a few instructions.
//!
//! They handle a live region whose newest block has enough bytes left, and that has nothing else to release than
//! bytes of this block. In all other cases they change nothing and return `None`, and the caller takes the slow path.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{ALIGNMENT, Block, class_for, footprint};
use crate::header::Header;
use crate::request::{LARGE, round_up_to_step};
use crate::{header_table, mark_bits, pool, settings};

/// Allocates where the region's position already has the alignment. Then there is only one addition between an
/// allocation and the next. A loop of allocations waits for nothing else.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline(always)]
pub(crate) unsafe fn allocate_aligned(
    handle: i64,
    size: i64,
    alignment: i64,
) -> Option<NonNull<u8>> {
    // SAFETY: the caller's.
    unsafe { fast::<false>(handle, size, alignment) }
}

/// Allocates from the newest block of a live region, if the size is not large and fits. A free header has no bytes
/// left, so comparing the generations is enough.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline(always)]
pub(crate) unsafe fn fast<const ALIGNING: bool>(
    handle: i64,
    size: i64,
    alignment: i64,
) -> Option<NonNull<u8>> {
    let header = header_table::at(header_table::index(handle))?;
    if header.count.generation() != header_table::life(handle) {
        return None;
    }
    let (size, alignment) = (size as usize, alignment as usize);
    // Rejects 0, negative and large sizes; 0 wraps.
    if size.wrapping_sub(1) >= LARGE {
        return None;
    }
    let next = header.next.load(Relaxed);
    let below = alignment.wrapping_sub(1);
    let start = if !ALIGNING {
        // Checks the alignment and the address at once. A power of two has no bits below itself, and neither has an
        // address that is a multiple of it. An alignment of 0 has all bits below, and every address has some bit.
        if (alignment | next.addr()) & below != 0 {
            return None;
        }
        next
    } else if alignment.is_power_of_two() {
        next.map_addr(|address| (address + below) & !below)
    } else {
        return None;
    };
    let after = start.wrapping_add(round_up_to_step(size));
    if after.addr() > header.end.load(Relaxed) {
        return None;
    }
    header.next.store(after, Relaxed);
    header
        .allocations
        .store(header.allocations.load(Relaxed) + 1, Relaxed);
    // SAFETY: bytes are left at `start`; there are none without a block.
    Some(unsafe { NonNull::new_unchecked(start) })
}

/// Takes a block from the pool for the first request of a region that has no memory and no parents.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline]
pub(crate) unsafe fn first_block(handle: i64, size: i64, alignment: i64) -> Option<NonNull<u8>> {
    let header = header_table::alive(handle).ok()?;
    let (size, alignment) = (size as usize, alignment as usize);
    let is_usual =
        size.wrapping_sub(1) < LARGE && alignment.is_power_of_two() && alignment <= ALIGNMENT;
    if !is_usual || !is_empty(header) || settings::get().debug {
        return None;
    }
    // Sizes of blocks are multiples of `STEP`.
    let class = class_for(size).max(header.first_class.load(Relaxed).into());
    let block = pool::take_cached(class)?;
    // SAFETY: the block is no longer in the pool, and nobody else uses it.
    let (base, bytes, class) = unsafe {
        let head = &mut *block.as_ptr();
        head.reset_as_first();
        (Block::base(block.as_ptr()), head.size(), head.class)
    };
    header.block.store(block.as_ptr(), Relaxed);
    header.count_acquired(&header.blocks, footprint(class));
    // SAFETY: the new block is large enough.
    header
        .next
        .store(unsafe { base.add(round_up_to_step(size)) }, Relaxed);
    header.end.store(base.addr() + bytes, Relaxed);
    header
        .shift
        .store((base.addr() as u64).wrapping_neg(), Relaxed);
    header
        .allocations
        .store(header.allocations.load(Relaxed) + 1, Relaxed);
    // SAFETY: no block is at address 0.
    Some(unsafe { NonNull::new_unchecked(base) })
}

/// Has the region no memory, and has it had none since it was made or emptied?
fn is_empty(header: &Header) -> bool {
    header.block.load(Relaxed).is_null() && header.position() == 0
}

/// [`empty`](crate::clear::empty) for a region of one block, if the pool takes that block.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[inline]
pub(crate) unsafe fn empty_block(handle: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    // SAFETY: the region's own.
    let (before, class) = unsafe { (block.as_ref().previous, block.as_ref().class) };
    if !before.is_null() || !header.chunk.load(Relaxed).is_null() {
        return None;
    }
    let position = header.position();
    // SAFETY: the caller's; the header drops the block below.
    if !unsafe { pool::cache(block) } {
        return None;
    }
    header.count_released_bytes(position, 0);
    header.count_released(&header.blocks, footprint(class));
    header.block.store(null_mut(), Relaxed);
    header.next.store(null_mut(), Relaxed);
    header.end.store(0, Relaxed);
    header.shift.store(0, Relaxed);
    header.first_class.store(0, Relaxed);
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    Some(())
}

/// The header and the newest block of a live region, if nothing was added since that block was opened: no chunks and
/// no parents. `None` in debug mode.
#[inline(always)]
pub(crate) fn only_block(handle: i64) -> Option<(&'static Header, NonNull<Block>)> {
    let header = header_table::at(header_table::index(handle))?;
    let alive =
        header.count.generation() == header_table::life(handle) && header.end.load(Relaxed) != 0;
    if !alive || !header.parents.load(Relaxed).is_null() {
        return None;
    }
    let block = NonNull::new(header.block.load(Relaxed))?;
    // SAFETY: blocks and chunks are the region's own.
    let older = unsafe {
        let chunk = header.chunk.load(Relaxed).as_ref();
        chunk.is_none_or(|chunk| chunk.position < block.as_ref().start)
    };
    older.then_some((header, block))
}

/// [`clear`](crate::clear::clear) for a region of one block.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses its memory.
#[inline(always)]
pub(crate) unsafe fn clear_block(handle: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    // SAFETY: the region's own.
    if !unsafe { block.as_ref() }.previous.is_null() || !header.chunk.load(Relaxed).is_null() {
        return None;
    }
    header.count_released_bytes(header.position(), 0);
    // SAFETY: as above.
    let base = unsafe {
        (*block.as_ptr()).start = 0;
        Block::base(block.as_ptr())
    };
    header.next.store(base, Relaxed);
    header
        .shift
        .store((base.addr() as u64).wrapping_neg(), Relaxed);
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    Some(())
}

/// [`release_to`](crate::marks::release_to) for a mark in the newest block.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses memory that was allocated after the mark.
#[inline(always)]
pub(crate) unsafe fn release_in_block(handle: i64, mark: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    let target = mark_bits::position(mark as u64);
    let clears = header.clears.load(Relaxed);
    let position = header.position();
    // SAFETY: the region's own.
    let start = unsafe { block.as_ref() }.start;
    if !mark_bits::is_after(mark as u64, clears) || target > position || target < start {
        return None;
    }
    header.count_released_bytes(position, target);
    let next = header.next.load(Relaxed);
    header
        .next
        .store(next.wrapping_sub((position - target) as usize), Relaxed);
    Some(())
}
