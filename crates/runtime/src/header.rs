//! The header of a region: its reference count and its fill position.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};

use crate::block::Block;
use crate::chunk::Chunk;
use crate::parent_list::ParentList;
use crate::refcount::RefCount;
use crate::{Error, settings};

/// The header of a region. Only the thread that fills the region writes the fields, except the reference count. They
/// are atomic so that other threads may read them for statistics. All accesses are relaxed, which costs nothing.
///
/// A position is a number of bytes since the region was made or cleared: bytes cut from blocks, alignment gaps
/// included, bytes of chunks, and one for each parent. The current position is `next` + `shift`.
#[repr(C, align(128))]
pub(crate) struct Header {
    pub count: RefCount,
    /// First free byte of the newest block; null if there is no block.
    pub next: AtomicPtr<u8>,
    /// Address after the last byte that the fast path may allocate: the end of the block, or 0 if every allocation
    /// must be checked.
    pub end: AtomicUsize,
    /// Added to `next`, with wrapping, to get the position.
    pub shift: AtomicU64,
    /// Allocations since the region was made.
    pub allocations: AtomicU64,
    /// The newest block.
    pub block: AtomicPtr<Block>,
    /// Number of clears since the region was made, counted from [`mark_bits::first`](crate::mark_bits::first) on.
    pub clears: AtomicU32,
    /// Number of regions that this one is a parent of. It grows only under the lock of the parents.
    pub children: AtomicU32,
    /// Is a thread filling the region now? Only maintained with `MEMPLAN_REGION_DEBUG=1`.
    pub is_being_filled: AtomicBool,
    /// Least class of the first block. It outlives the region, as code that makes a region often makes more of its
    /// kind.
    pub first_class: AtomicU8,
    /// Number of parents.
    pub parent_count: AtomicU32,

    /// The newest chunk.
    pub chunk: AtomicPtr<Chunk>,
    /// The parents; null if there are none. Only changed under the lock of the parents.
    pub parents: AtomicPtr<ParentList>,
    /// Bytes of blocks and chunks, with their heads.
    pub held: AtomicU64,
    pub blocks: AtomicU32,
    pub chunks: AtomicU32,
    /// Peak of the bytes in use, as of the last release.
    pub peak_bytes: AtomicU64,
    /// Bytes that were released by clears and marks.
    pub released_bytes: AtomicU64,
    /// Allocations and their bytes in earlier lives of the header.
    pub ended_allocations: AtomicU64,
    pub ended_bytes: AtomicU64,
}

// The C header accesses these fields by their offsets.
const _: () = {
    assert!(std::mem::offset_of!(Header, count) == 0 && size_of::<RefCount>() == 8);
    assert!(std::mem::offset_of!(Header, next) == 8);
    assert!(std::mem::offset_of!(Header, end) == 16);
    assert!(std::mem::offset_of!(Header, allocations) == 32);
    assert!(size_of::<usize>() == 8);
};

// A header that was never used is all zeros, as a new slab is.
impl Default for Header {
    fn default() -> Self {
        Self {
            count: RefCount::default(),
            next: AtomicPtr::new(null_mut()),
            end: AtomicUsize::new(0),
            shift: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            block: AtomicPtr::new(null_mut()),
            clears: AtomicU32::new(0),
            children: AtomicU32::new(0),
            is_being_filled: AtomicBool::new(false),
            first_class: AtomicU8::new(0),
            chunk: AtomicPtr::new(null_mut()),
            parents: AtomicPtr::new(null_mut()),
            held: AtomicU64::new(0),
            blocks: AtomicU32::new(0),
            chunks: AtomicU32::new(0),
            parent_count: AtomicU32::new(0),
            peak_bytes: AtomicU64::new(0),
            released_bytes: AtomicU64::new(0),
            ended_allocations: AtomicU64::new(0),
            ended_bytes: AtomicU64::new(0),
        }
    }
}

/// Marks the region as being filled by this thread, as long as it lives.
pub(crate) struct Filling<'h>(Option<&'h Header>);

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        if let Some(header) = self.0 {
            header
                .is_being_filled
                .store(false, std::sync::atomic::Ordering::Release);
        }
    }
}

impl Header {
    /// The current position.
    pub fn position(&self) -> u64 {
        let next = self.next.load(Relaxed).addr() as u64;
        next.wrapping_add(self.shift.load(Relaxed))
    }

    /// Bytes in use, with alignment gaps.
    pub fn bytes(&self) -> u64 {
        self.position()
            .wrapping_sub(self.parent_count.load(Relaxed).into())
    }

    /// Counts a block or a chunk that was added.
    pub fn count_acquired(&self, counter: &AtomicU32, bytes: usize) {
        counter.store(counter.load(Relaxed) + 1, Relaxed);
        self.held
            .store(self.held.load(Relaxed) + bytes as u64, Relaxed);
    }

    /// Counts a block or a chunk that was released.
    pub fn count_released(&self, counter: &AtomicU32, bytes: usize) {
        counter.store(counter.load(Relaxed) - 1, Relaxed);
        self.held
            .store(self.held.load(Relaxed) - bytes as u64, Relaxed);
    }

    /// Moves the position without using bytes of the block.
    pub fn advance(&self, by: u64) {
        self.shift
            .store(self.shift.load(Relaxed).wrapping_add(by), Relaxed);
    }

    /// Continues filling after the first `filled` bytes of `block`, the newest one or null.
    pub fn fill_at(&self, block: *mut Block, filled: usize) {
        // SAFETY: the block is the region's own.
        let (next, end) = match unsafe { block.as_ref() } {
            // SAFETY: at most all bytes of the block are filled.
            Some(head) => unsafe {
                let base = Block::base(block);
                (base.add(filled), base.addr() + head.size())
            },
            None => (null_mut(), 0),
        };
        self.next.store(next, Relaxed);
        // In debug mode, each allocation takes the slow path, which checks it.
        let end = if settings::get().debug { 0 } else { end };
        self.end.store(end, Relaxed);
    }

    /// Marks the region as being filled. With `MEMPLAN_REGION_DEBUG=1`, fails with [`Error::Busy`] if another thread
    /// is filling it.
    pub fn begin_filling(&self) -> Result<Filling<'_>, Error> {
        if !settings::get().debug {
            return Ok(Filling(None));
        }
        if self
            .is_being_filled
            .swap(true, std::sync::atomic::Ordering::Acquire)
        {
            return Err(Error::Busy);
        }
        Ok(Filling(Some(self)))
    }

    /// Counts a release that is about to happen: all of `bytes` except `kept`.
    pub fn count_released_bytes(&self, bytes: u64, kept: u64) {
        self.peak_bytes
            .store(self.peak_bytes.load(Relaxed).max(bytes), Relaxed);
        let released_bytes = self.released_bytes.load(Relaxed) + (bytes - kept);
        self.released_bytes.store(released_bytes, Relaxed);
    }
}
