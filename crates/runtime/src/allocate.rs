//! Allocation: from the newest block, from a new block, or as a chunk of its own.

use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{ALIGNMENT, Block, SIZES, class_for, footprint};
use crate::chunk::Chunk;
use crate::fast_path::{fast, first_block};
use crate::header::Header;
use crate::release::{check_untouched, pop_blocks};
use crate::request::{is_large, round_up_to_step};
use crate::{Error, header_table, poison, pool, settings};

/// Allocates `size` bytes, as [`Region::allocate`](crate::Region::allocate) documents.
///
/// # Safety
/// No other thread fills the region at the same time.
#[inline]
pub(crate) unsafe fn allocate(
    handle: i64,
    size: i64,
    alignment: i64,
) -> Result<NonNull<u8>, Error> {
    // SAFETY: the caller's.
    unsafe {
        let usual = fast::<true>(handle, size, alignment);
        match usual.or_else(|| first_block(handle, size, alignment)) {
            Some(memory) => Ok(memory),
            None => allocate_slowly(handle, size, alignment),
        }
    }
}

#[cold]
#[inline(never)]
pub(crate) unsafe fn allocate_slowly(
    handle: i64,
    size: i64,
    alignment: i64,
) -> Result<NonNull<u8>, Error> {
    let header = header_table::alive(handle)?;
    let bytes = usize::try_from(size).map_err(|_| Error::NegativeSize(size))?;
    let aligned = usize::try_from(alignment)
        .ok()
        .filter(|alignment| alignment.is_power_of_two());
    let alignment = aligned.ok_or(Error::Alignment(alignment))?;
    let _filling = header.begin_filling()?;
    let memory = if bytes == 0 {
        ptr::without_provenance_mut(alignment)
    } else if is_large(bytes, alignment) {
        take_chunk(header, bytes, alignment)?
    } else {
        match cut(header, handle, bytes, alignment) {
            Some(memory) => memory,
            None => {
                open_block(header, handle, bytes, alignment)?;
                // A new block is large enough for any request that is not large.
                cut(header, handle, bytes, alignment).ok_or(Error::TooLarge(size))?
            }
        }
    };
    header
        .allocations
        .store(header.allocations.load(Relaxed) + 1, Relaxed);
    // SAFETY: neither an alignment nor the address of memory is 0.
    Ok(unsafe { NonNull::new_unchecked(memory) })
}

/// Cuts `size` bytes from the newest block, if that many are left.
pub(crate) fn cut(header: &Header, handle: i64, size: usize, alignment: usize) -> Option<*mut u8> {
    let block = NonNull::new(header.block.load(Relaxed))?;
    // SAFETY: the region's own.
    let end = unsafe { Block::base(block.as_ptr()).addr() + block.as_ref().size() };
    let next = header.next.load(Relaxed);
    let gap = next.align_offset(alignment);
    let debug = settings::get().debug;
    // In debug mode, the size is not rounded up, so that a write to the first byte after the allocation is detected.
    let taken = if debug { size } else { round_up_to_step(size) };
    if gap.checked_add(taken)? > end - next.addr() {
        return None;
    }
    // SAFETY: the block has at least `size` bytes left.
    let start = unsafe { next.add(gap) };
    if debug {
        // SAFETY: the rest of the block is ours.
        unsafe {
            check_untouched(handle, next, gap + size);
            poison::fresh(start, size);
        }
    }
    header.next.store(start.wrapping_add(taken), Relaxed);
    Some(start)
}

/// Least class of the second block of a region: 256 bytes.
const MIN_SECOND_CLASS: usize = class_for(256);

/// A new block has at least this part of the bytes of all blocks of the region, so at most that part is unused.
const GROWTH_DIVISOR: usize = 4;

/// Opens a new block for a request that is not large. Blocks grow with the region.
pub(crate) fn open_block(
    header: &Header,
    handle: i64,
    size: usize,
    alignment: usize,
) -> Result<(), Error> {
    let current = header.block.load(Relaxed);
    let needed = size + alignment.saturating_sub(ALIGNMENT);
    // SAFETY: the region's own.
    let least = match unsafe { current.as_ref() } {
        Some(block) => block
            .next_class
            .max(class_for(block.total / GROWTH_DIVISOR))
            .max(MIN_SECOND_CLASS),
        None => header.first_class.load(Relaxed) as usize,
    };
    let class = class_for(needed).max(least);
    let opened = pool::take_block(class)?;
    let start = header.position();
    let mut before = current;
    // SAFETY: the region's own.
    if let Some(block) = unsafe { current.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(current) };
        block.filled = header.next.load(Relaxed).addr() - base.addr();
        // An empty block that is too small for the request would stay in the list unused.
        if block.filled == 0 && block.start == start {
            before = block.previous;
            pop_blocks(header, handle, before, None);
        }
    }
    // SAFETY: just allocated.
    unsafe {
        (*opened.as_ptr()).previous = before;
        (*opened.as_ptr()).start = start;
        (*opened.as_ptr()).filled = 0;
        (*opened.as_ptr()).next_class = 0;
        let total = before.as_ref().map_or(0, |block| block.total);
        (*opened.as_ptr()).total = total + SIZES[(*opened.as_ptr()).class];
    }
    header.block.store(opened.as_ptr(), Relaxed);
    // The pool may have returned a larger block. SAFETY: as above.
    let class = unsafe { opened.as_ref() }.class;
    header.count_acquired(&header.blocks, footprint(class));
    header.fill_at(opened.as_ptr(), 0);
    let base = header.next.load(Relaxed).addr() as u64;
    header.shift.store(start.wrapping_sub(base), Relaxed);
    Ok(())
}

pub(crate) fn take_chunk(header: &Header, size: usize, alignment: usize) -> Result<*mut u8, Error> {
    let position = header.position();
    let shift = header.shift.load(Relaxed).wrapping_add(size as u64);
    let before = header.chunk.load(Relaxed);
    let chunk =
        pool::retry_without_cache(|| Chunk::allocate(size, alignment, before, position, shift))?;
    header.advance(size as u64);
    header.chunk.store(chunk.as_ptr(), Relaxed);
    // SAFETY: just allocated.
    unsafe {
        header.count_acquired(&header.chunks, chunk.as_ref().footprint());
        let bytes = Chunk::bytes(chunk.as_ptr());
        if settings::get().debug {
            poison::fresh(bytes, size);
        }
        Ok(bytes)
    }
}
