//! What is done most often, in a few instructions: a region that is alive, room in its newest block, and nothing besides that
//! block to give back. Where it is not so, nothing has been done, and the caller goes the long way.

use std::ptr::{NonNull, null_mut};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{ALIGNMENT, Block, fitting, footprint};
use crate::header::Header;
use crate::request::{LARGE, stepped};
use crate::{mark_bits, pool, settings, table};

/// Memory in the most usual case, where the region is as aligned as is wanted already. Then one addition lies between
/// an allocation and the next, which is all that a loop of them waits for.
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

/// The usual case: a region that is alive, a size that is not large, room in the block. A header that is free has no
/// room, so the generation alone tells the rest.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline(always)]
pub(crate) unsafe fn fast<const ALIGNING: bool>(
    handle: i64,
    size: i64,
    alignment: i64,
) -> Option<NonNull<u8>> {
    let header = table::at(table::index(handle))?;
    if header.count.generation() != table::life(handle) {
        return None;
    }
    let (size, alignment) = (size as usize, alignment as usize);
    // Neither 0 nor negative nor large; 0 would wrap.
    if size.wrapping_sub(1) >= LARGE {
        return None;
    }
    let next = header.next.load(Relaxed);
    let below = alignment.wrapping_sub(1);
    let start = if !ALIGNING {
        // Both at once: a power of two has nothing below it, and an address at it neither. An alignment of 0 has all
        // bits below, and no address is without any.
        if (alignment | next.addr()) & below != 0 {
            return None;
        }
        next
    } else if alignment.is_power_of_two() {
        next.map_addr(|address| (address + below) & !below)
    } else {
        return None;
    };
    let after = start.wrapping_add(stepped(size));
    if after.addr() > header.end.load(Relaxed) {
        return None;
    }
    header.next.store(after, Relaxed);
    header
        .allocations
        .store(header.allocations.load(Relaxed) + 1, Relaxed);
    // SAFETY: there is room behind it, and without a block there is none.
    Some(unsafe { NonNull::new_unchecked(start) })
}

/// A block of the pool for the first request of a region that has none, nor ever had parents or chunks.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline]
pub(crate) unsafe fn first_block(handle: i64, size: i64, alignment: i64) -> Option<NonNull<u8>> {
    let header = table::alive(handle).ok()?;
    let (size, alignment) = (size as usize, alignment as usize);
    let is_usual =
        size.wrapping_sub(1) < LARGE && alignment.is_power_of_two() && alignment <= ALIGNMENT;
    if !is_usual || !is_empty(header) || settings::get().debug {
        return None;
    }
    // Sizes of blocks are multiples of a step.
    let class = fitting(size).max(header.first.load(Relaxed).into());
    let block = pool::take_kept(class)?;
    // SAFETY: the pool's no more, and nobody else's.
    let (base, bytes, class) = unsafe {
        let head = &mut *block.as_ptr();
        head.open_first();
        (Block::base(block.as_ptr()), head.size(), head.class)
    };
    header.block.store(block.as_ptr(), Relaxed);
    header.count_taken(&header.blocks, footprint(class));
    // SAFETY: so much fits.
    header
        .next
        .store(unsafe { base.add(stepped(size)) }, Relaxed);
    header.end.store(base.addr() + bytes, Relaxed);
    header
        .shift
        .store((base.addr() as u64).wrapping_neg(), Relaxed);
    header
        .allocations
        .store(header.allocations.load(Relaxed) + 1, Relaxed);
    // SAFETY: blocks are not at 0.
    Some(unsafe { NonNull::new_unchecked(base) })
}

/// Is nothing there, and was nothing since the region was made or emptied?
fn is_empty(header: &Header) -> bool {
    header.block.load(Relaxed).is_null() && header.position() == 0
}

/// [`empty`](crate::clear::empty) in the usual case of one block, which the pool takes.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is given back.
#[inline]
pub(crate) unsafe fn empty_block(handle: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    // SAFETY: the region's own.
    let (before, class) = unsafe { (block.as_ref().before, block.as_ref().class) };
    if !before.is_null() || !header.chunk.load(Relaxed).is_null() {
        return None;
    }
    let position = header.position();
    // SAFETY: the caller's, and the header lets the block go.
    if !unsafe { pool::keep(block) } {
        return None;
    }
    header.count_giving_back(position, 0);
    header.count_given(&header.blocks, footprint(class));
    header.block.store(null_mut(), Relaxed);
    header.next.store(null_mut(), Relaxed);
    header.end.store(0, Relaxed);
    header.shift.store(0, Relaxed);
    header.first.store(0, Relaxed);
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    Some(())
}

/// The header and the block of a region that is alive, where that block is all that came since it was opened: neither
/// chunks nor parents, and no debug.
#[inline(always)]
pub(crate) fn only_block(handle: i64) -> Option<(&'static Header, NonNull<Block>)> {
    let header = table::at(table::index(handle))?;
    let alive = header.count.generation() == table::life(handle) && header.end.load(Relaxed) != 0;
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

/// [`clear`] in the usual case of one block.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is given back.
#[inline(always)]
pub(crate) unsafe fn clear_block(handle: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    // SAFETY: the region's own.
    if !unsafe { block.as_ref() }.before.is_null() || !header.chunk.load(Relaxed).is_null() {
        return None;
    }
    header.count_giving_back(header.position(), 0);
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

/// [`release_to`] in the usual case of a mark in the newest block.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is given back.
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
    header.count_giving_back(position, target);
    let next = header.next.load(Relaxed);
    header
        .next
        .store(next.wrapping_sub((position - target) as usize), Relaxed);
    Some(())
}
