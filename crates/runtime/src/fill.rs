//! Where allocations come from: the newest block, a new one, or a chunk.

use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{ALIGNMENT, Block, SIZES, fitting, footprint};
use crate::chunk::Chunk;
use crate::give::{intact, pop_blocks};
use crate::header::Header;
use crate::request::{is_large, stepped};
use crate::usual::{fast, first_block};
use crate::{Error, poison, pool, settings, table};

/// Memory of so many bytes, as [`Region::allocate`] says.
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
    let header = table::alive(handle)?;
    let bytes = usize::try_from(size).map_err(|_| Error::NegativeSize(size))?;
    let aligned = usize::try_from(alignment)
        .ok()
        .filter(|alignment| alignment.is_power_of_two());
    let alignment = aligned.ok_or(Error::Alignment(alignment))?;
    let _filling = header.fill()?;
    let memory = if bytes == 0 {
        ptr::without_provenance_mut(alignment)
    } else if is_large(bytes, alignment) {
        take_chunk(header, bytes, alignment)?
    } else {
        match cut(header, handle, bytes, alignment) {
            Some(memory) => memory,
            None => {
                open_block(header, handle, bytes, alignment)?;
                // A new block has room for all that is not large.
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

/// Bytes of the newest block, if it has room.
pub(crate) fn cut(header: &Header, handle: i64, size: usize, alignment: usize) -> Option<*mut u8> {
    let block = NonNull::new(header.block.load(Relaxed))?;
    // SAFETY: the region's own.
    let end = unsafe { Block::base(block.as_ptr()).addr() + block.as_ref().size() };
    let next = header.next.load(Relaxed);
    let gap = next.align_offset(alignment);
    let debug = settings::get().debug;
    // In debug, the first byte behind is looked at.
    let taken = if debug { size } else { stepped(size) };
    if gap.checked_add(taken)? > end - next.addr() {
        return None;
    }
    // SAFETY: as much is left in the block.
    let start = unsafe { next.add(gap) };
    if debug {
        // SAFETY: the rest of the block is ours.
        unsafe {
            intact(handle, next, gap + size);
            poison::fresh(start, size);
        }
    }
    header.next.store(start.wrapping_add(taken), Relaxed);
    Some(start)
}

/// The least size of the second block of a region, as a class: 256 bytes.
const SECOND: usize = fitting(256);

/// So much of what all blocks of a region have the next one has at least: that much may be left over.
const PART: usize = 4;

/// A new block with room for a request that is not large. Blocks grow as the region does.
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
        Some(block) => block.next.max(fitting(block.all / PART)).max(SECOND),
        None => header.first.load(Relaxed) as usize,
    };
    let class = fitting(needed).max(least);
    let opened = pool::take_block(class)?;
    let start = header.position();
    let mut before = current;
    // SAFETY: the region's own.
    if let Some(block) = unsafe { current.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(current) };
        block.filled = header.next.load(Relaxed).addr() - base.addr();
        // A block that was too small for the first that it was to hold would stay in the list for nothing.
        if block.filled == 0 && block.start == start {
            before = block.before;
            pop_blocks(header, handle, before, None);
        }
    }
    // SAFETY: just taken.
    unsafe {
        (*opened.as_ptr()).before = before;
        (*opened.as_ptr()).start = start;
        (*opened.as_ptr()).filled = 0;
        (*opened.as_ptr()).next = 0;
        let all = before.as_ref().map_or(0, |block| block.all);
        (*opened.as_ptr()).all = all + SIZES[(*opened.as_ptr()).class];
    }
    header.block.store(opened.as_ptr(), Relaxed);
    // The pool may have given a larger one.
    // SAFETY: as above.
    let class = unsafe { opened.as_ref() }.class;
    header.count_taken(&header.blocks, footprint(class));
    header.fill_at(opened.as_ptr(), 0);
    let base = header.next.load(Relaxed).addr() as u64;
    header.shift.store(start.wrapping_sub(base), Relaxed);
    Ok(())
}

pub(crate) fn take_chunk(header: &Header, size: usize, alignment: usize) -> Result<*mut u8, Error> {
    let position = header.position();
    let shift = header.shift.load(Relaxed).wrapping_add(size as u64);
    let before = header.chunk.load(Relaxed);
    let chunk = pool::relieved(|| Chunk::take(size, alignment, before, position, shift))?;
    header.advance(size as u64);
    header.chunk.store(chunk.as_ptr(), Relaxed);
    // SAFETY: just taken.
    unsafe {
        header.count_taken(&header.chunks, chunk.as_ref().footprint());
        let bytes = Chunk::bytes(chunk.as_ptr());
        if settings::get().debug {
            poison::fresh(bytes, size);
        }
        Ok(bytes)
    }
}
