//! What is done with regions.
//!
//! [`Region`] is a reference that Rust counts by itself. Behind it are functions on handles, which the C API shares:
//! each checks all that can be wrong first, and changes nothing then.

use std::ptr::{self, NonNull, null_mut};
use std::sync::atomic::Ordering::Relaxed;

use crate::block::{ALIGNMENT, Block, CLASSES, fitting, footprint};
use crate::chunk::Chunk;
use crate::count::{LAST_GENERATION, Left};
use crate::header::Header;
use crate::{Error, parents, poison, pool, report, settings, statistics, table};

/// The most bytes that are cut from a block, the worst gap in front of them included; more is a chunk of its own.
pub const LARGE: usize = 8 << 10;

/// The largest size of a first block, as a class: 4 KiB.
const FIRST: usize = 4;

/// A mark is the position, and above it the number of clears.
const POSITION_BITS: u32 = 48;
const CLEARS: u32 = (1 << 15) - 1;

/// A counted reference to a region.
#[derive(Debug)]
pub struct Region(i64);

impl Region {
    /// A new region, empty.
    ///
    /// # Errors
    /// [`Error::TooManyRegions`], or [`Error::OutOfMemory`].
    pub fn new() -> Result<Self, Error> {
        make().map(Self)
    }

    /// The number that stands for it in the C API; this reference stays its own.
    pub fn handle(&self) -> i64 {
        self.0
    }

    /// Takes over a reference of the C API's.
    ///
    /// # Safety
    /// It is one that the caller has, of a region that is alive.
    pub unsafe fn from_handle(handle: i64) -> Self {
        Self(handle)
    }

    /// The C API's reference, which is to be released.
    pub fn into_handle(self) -> i64 {
        let handle = self.0;
        std::mem::forget(self);
        handle
    }

    /// One more reference.
    ///
    /// # Errors
    /// [`Error::TooManyReferences`].
    pub fn retain(&self) -> Result<Self, Error> {
        retain(self.0).map(|()| Self(self.0))
    }

    /// Memory of so many bytes, until the region is cleared or freed or a mark in front of it is released to. Not
    /// zeroed. Without bytes, an aligned pointer that nothing may be read from.
    ///
    /// # Errors
    /// Sizes and alignments that make no sense, no memory, the limit.
    ///
    /// # Safety
    /// No other thread fills the region at the same time.
    pub unsafe fn allocate(&self, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
        // SAFETY: the caller's.
        unsafe { allocate(self.0, size, alignment) }
    }

    /// Gives back all memory but a block, which is used again, and releases the parents.
    ///
    /// # Errors
    /// [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses what is in it.
    pub unsafe fn clear(&self) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { clear(self.0) }
    }

    /// Where the region is, for [`Region::release_to`].
    ///
    /// # Errors
    /// [`Error::Busy`].
    pub fn mark(&self) -> Result<i64, Error> {
        mark(self.0)
    }

    /// Gives back what was allocated behind a mark, and releases the parents that were added behind it.
    ///
    /// # Errors
    /// [`Error::MarkAhead`], [`Error::NotAMark`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills the region at the same time, and nobody uses what is behind the mark.
    pub unsafe fn release_to(&self, mark: i64) -> Result<(), Error> {
        // SAFETY: the caller's.
        unsafe { release_to(self.0, mark) }
    }

    /// Keeps another region alive until this one is freed or cleared, or a mark of before is released to.
    ///
    /// # Errors
    /// [`Error::Cycle`], [`Error::TooManyReferences`], [`Error::Busy`].
    ///
    /// # Safety
    /// No other thread fills this region at the same time.
    pub unsafe fn refer(&self, parent: &Region) -> Result<(), Error> {
        parents::refer(self.0, parent.0)
    }

    /// What is in it.
    pub fn statistics(&self) -> statistics::RegionUsage {
        // The region is alive as long as this reference.
        statistics::region(self.0).unwrap_or_default()
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: whoever fills the region has a reference of its own.
        let released = unsafe { release(self.0) };
        debug_assert!(released.is_ok(), "{released:?}");
    }
}

/// A new region, with one reference.
pub(crate) fn make() -> Result<i64, Error> {
    settings::get();
    let index = pool::take_header()?;
    let header = table::at(index).ok_or(Error::TooManyRegions)?;
    for counter in [&header.allocations, &header.most, &header.given_back] {
        counter.store(0, Relaxed);
    }
    header.clears.store(0, Relaxed);
    statistics::count_made();
    Ok(table::handle(index, header.count.begin()))
}

/// Adds a reference.
pub(crate) fn retain(handle: i64) -> Result<(), Error> {
    let header = table::at(table::index(handle)).ok_or(Error::NotARegion)?;
    Ok(header.count.retain(table::life(handle))?)
}

/// Takes a reference away; the region goes with the last, and so do parents that it alone kept.
///
/// # Safety
/// The reference is the caller's. With the last one, nobody fills the region or uses what is in it.
pub(crate) unsafe fn release(handle: i64) -> Result<(), Error> {
    let mut left = match let_go(handle)? {
        Some(parents) => parents,
        None => return Ok(()),
    };
    // Not by recursion: chains may be long.
    while let Some(parent) = left.pop() {
        if let Some(parents) = let_go(parent)? {
            left.extend(parents);
        }
    }
    Ok(())
}

/// Takes a reference away; with the last, ends the region and gives its parents.
fn let_go(handle: i64) -> Result<Option<Vec<i64>>, Error> {
    let index = table::index(handle);
    let header = table::at(index).ok_or(Error::NotARegion)?;
    if header.count.release(table::life(handle))? == Left::Some {
        return Ok(None);
    }
    // Too late for an error: the handle is gone, and somebody fills on without one.
    let filling = match header.fill() {
        Ok(filling) => filling,
        Err(error) => report::misuse("memplan_region_release", handle, error),
    };
    statistics::count_ended(header);
    let parents = parents::take_behind(header, 0);
    give_back(header, handle, None);
    drop(filling);
    if header.count.generation() < LAST_GENERATION {
        pool::give_header(index);
    }
    Ok(Some(parents))
}

/// The size of a block in which all that has been cut from blocks would fit; the next one where it is not known.
fn grown(block: &Block, filled: usize) -> usize {
    if block.before.is_null() {
        fitting(filled, 0)
    } else {
        (block.class + 1).min(CLASSES - 1)
    }
}

/// Gives back all memory but for one block, where that is wanted. The position is 0 then.
fn give_back(header: &Header, handle: i64, kept: Option<NonNull<Block>>) {
    let newest = header.block.load(Relaxed);
    // SAFETY: the region's own.
    if let Some(block) = unsafe { newest.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(newest) };
        let grown = grown(block, header.next.load(Relaxed).addr() - base.addr());
        match kept {
            Some(_) => block.next = grown.max(block.class),
            None => header.first.store(grown.min(FIRST) as u8, Relaxed),
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
            }
            header.block.store(block.as_ptr(), Relaxed);
            fill_at(header, block.as_ptr(), 0);
            header.shift.store(
                (header.next.load(Relaxed).addr() as u64).wrapping_neg(),
                Relaxed,
            );
        }
        None => {
            fill_at(header, null_mut(), 0);
            header.shift.store(0, Relaxed);
        }
    }
}

/// Goes on filling a block, the newest or null, behind its first bytes.
fn fill_at(header: &Header, block: *mut Block, filled: usize) {
    // SAFETY: the block is the region's own.
    let (next, end) = match unsafe { block.as_ref() } {
        // SAFETY: no more is filled than it has.
        Some(head) => unsafe {
            let base = Block::base(block);
            (base.add(filled), base.addr() + head.size())
        },
        None => (null_mut(), 0),
    };
    header.next.store(next, Relaxed);
    // In debug, each allocation goes the slow way, which checks it.
    header
        .end
        .store(if settings::get().debug { 0 } else { end }, Relaxed);
}

/// Gives back the blocks that are newer than one of them, or all; one may be left out of it, whose bytes are then
/// nobody's. The caller says where filling goes on.
fn pop_blocks(header: &Header, handle: i64, until: *mut Block, kept: Option<NonNull<Block>>) {
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
fn pop_chunks(header: &Header, until: *mut Chunk) {
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
unsafe fn wipe(handle: i64, block: *mut Block, from: usize, filled: usize) {
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
unsafe fn intact(handle: i64, memory: *const u8, size: usize) {
    // SAFETY: the caller's.
    if let Some(at) = unsafe { poison::touched(memory, size) } {
        report::written(handle, memory.wrapping_add(at));
    }
}

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
    match fast::<true>(handle, size, alignment) {
        Some(memory) => Ok(memory),
        // SAFETY: the caller's.
        None => unsafe { allocate_slowly(handle, size, alignment) },
    }
}

/// Memory in the most usual case, where the region is as aligned as is wanted already. Then one addition lies between
/// an allocation and the next, which is all that a loop of them waits for.
#[inline(always)]
pub(crate) fn allocate_aligned(handle: i64, size: i64, alignment: i64) -> Option<NonNull<u8>> {
    fast::<false>(handle, size, alignment)
}

/// What is cut from a block goes up to a multiple of this, so that the next is aligned, as from `malloc`.
const STEP: usize = 16;

fn stepped(size: usize) -> usize {
    (size + (STEP - 1)) & !(STEP - 1)
}

/// The usual case: a region that is alive, a size that is not large, room in the block. A header that is free has no
/// room, so the generation alone tells the rest.
#[inline(always)]
fn fast<const ALIGNING: bool>(handle: i64, size: i64, alignment: i64) -> Option<NonNull<u8>> {
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

#[cold]
#[inline(never)]
unsafe fn allocate_slowly(handle: i64, size: i64, alignment: i64) -> Result<NonNull<u8>, Error> {
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

/// Whether a request gets a chunk where the block has no room.
fn is_large(size: usize, alignment: usize) -> bool {
    size > LARGE || alignment > LARGE || size + alignment.saturating_sub(ALIGNMENT) > LARGE
}

/// Bytes of the newest block, if it has room.
fn cut(header: &Header, handle: i64, size: usize, alignment: usize) -> Option<*mut u8> {
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

/// A new block with room for a request that is not large. Blocks grow as the region does.
fn open_block(header: &Header, handle: i64, size: usize, alignment: usize) -> Result<(), Error> {
    let current = header.block.load(Relaxed);
    let needed = size + alignment.saturating_sub(ALIGNMENT);
    // SAFETY: the region's own.
    let least = match unsafe { current.as_ref() } {
        Some(block) => block.next,
        None => header.first.load(Relaxed) as usize,
    };
    let class = fitting(needed, least);
    let opened = pool::take_block(class)?;
    let start = header.position();
    let mut before = current;
    let mut next = class;
    // SAFETY: the region's own.
    if let Some(block) = unsafe { current.as_mut() } {
        // SAFETY: as above.
        let base = unsafe { Block::base(current) };
        block.filled = header.next.load(Relaxed).addr() - base.addr();
        // Two of each size: what is open is at most a third of what is full then.
        next += usize::from(block.class == class);
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
        (*opened.as_ptr()).next = next.min(CLASSES - 1);
    }
    header.block.store(opened.as_ptr(), Relaxed);
    header.count_taken(&header.blocks, footprint(class));
    fill_at(header, opened.as_ptr(), 0);
    let base = header.next.load(Relaxed).addr() as u64;
    header.shift.store(start.wrapping_sub(base), Relaxed);
    Ok(())
}

fn take_chunk(header: &Header, size: usize, alignment: usize) -> Result<*mut u8, Error> {
    let position = header.position();
    let shift = header.shift.load(Relaxed).wrapping_add(size as u64);
    let chunk = Chunk::take(size, alignment, header.chunk.load(Relaxed), position, shift)?;
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

/// Gives back all memory but a block, as [`Region::clear`] says.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is in it.
pub(crate) unsafe fn clear(handle: i64) -> Result<(), Error> {
    if clear_block(handle).is_some() {
        return Ok(());
    }
    let header = table::alive(handle)?;
    let filling = header.fill()?;
    header.count_giving_back(header.bytes(), 0);
    let parents = parents::take_behind(header, 0);
    // The newest is of the largest size so far, and the rest is the pool's, so that no region hoards.
    give_back(header, handle, NonNull::new(header.block.load(Relaxed)));
    header
        .clears
        .store(header.clears.load(Relaxed).wrapping_add(1), Relaxed);
    drop(filling);
    release_all(parents)
}

/// The header and the block of a region that is alive, where that block is all that came since it was opened: neither
/// chunks nor parents, and no debug.
#[inline(always)]
fn only_block(handle: i64) -> Option<(&'static Header, NonNull<Block>)> {
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
#[inline(always)]
fn clear_block(handle: i64) -> Option<()> {
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
#[inline(always)]
fn release_in_block(handle: i64, mark: i64) -> Option<()> {
    let (header, block) = only_block(handle)?;
    let target = mark as u64 & ((1 << POSITION_BITS) - 1);
    let clears = u64::from(header.clears.load(Relaxed) & CLEARS);
    let position = header.position();
    // SAFETY: the region's own.
    let start = unsafe { block.as_ref() }.start;
    if mark as u64 >> POSITION_BITS != clears || target > position || target < start {
        return None;
    }
    header.count_giving_back(position, target);
    let next = header.next.load(Relaxed);
    header
        .next
        .store(next.wrapping_sub((position - target) as usize), Relaxed);
    Some(())
}

fn release_all(handles: Vec<i64>) -> Result<(), Error> {
    for handle in handles {
        // SAFETY: the reference was the child's; what is in the parent may be used by the child's values only.
        unsafe { release(handle)? };
    }
    Ok(())
}

/// Where the region is.
pub(crate) fn mark(handle: i64) -> Result<i64, Error> {
    let header = table::alive(handle)?;
    let _filling = header.fill()?;
    let clears = u64::from(header.clears.load(Relaxed) & CLEARS);
    Ok((clears << POSITION_BITS | header.position()) as i64)
}

/// Gives back what is behind a mark, as [`Region::release_to`] says.
///
/// # Safety
/// No other thread fills the region at the same time, and nobody uses what is behind the mark.
pub(crate) unsafe fn release_to(handle: i64, mark: i64) -> Result<(), Error> {
    if release_in_block(handle, mark).is_some() {
        return Ok(());
    }
    let header = table::alive(handle)?;
    let filling = header.fill()?;
    let mark = u64::try_from(mark).map_err(|_| Error::NotAMark)?;
    if mark >> POSITION_BITS != u64::from(header.clears.load(Relaxed) & CLEARS) {
        return Err(Error::NotAMark);
    }
    let target = mark & ((1 << POSITION_BITS) - 1);
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
            let grows = newest.before != block;
            kept.next = (newest.class + usize::from(grows)).min(CLASSES - 1);
        }
    }
    pop_blocks(header, handle, block, None);
    pop_chunks(header, chunk);
    if !block.is_null() {
        // SAFETY: the region's own.
        unsafe { wipe(handle, block, filled, was_filled) };
    }
    fill_at(header, block, filled);
    let next = header.next.load(Relaxed).addr() as u64;
    header.shift.store(target.wrapping_sub(next), Relaxed);
    drop(filling);
    release_all(parents)
}

/// What stays in front of a mark.
struct Back {
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
fn back(header: &Header, target: u64) -> Result<Back, Error> {
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
