//! What a region is: its count, and where its memory is filled.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};

use crate::block::Block;
use crate::chunk::Chunk;
use crate::count::Count;
use crate::parent_list::ParentList;
use crate::{Error, settings};

/// A region. All that is not counted is the filler's; it is atomic so that others may look at it for statistics,
/// and always relaxed, which costs nothing.
///
/// Positions are bytes since the region was made or cleared: all that was cut from blocks, with the gaps in front of
/// what is aligned, and all chunks, and one for each parent. The region is at `next` + `shift`.
#[repr(C, align(128))]
pub(crate) struct Header {
    pub count: Count,
    /// The first free byte of the newest block; null without blocks.
    pub next: AtomicPtr<u8>,
    /// The address behind the last byte that the fast path may give: that of the block, or 0 where every allocation
    /// is to be checked.
    pub end: AtomicUsize,
    /// What is added to `next`, with wrapping, to give the position.
    pub shift: AtomicU64,
    /// Allocations since the region was made.
    pub allocations: AtomicU64,
    /// The newest block.
    pub block: AtomicPtr<Block>,
    /// How often it was cleared.
    pub clears: AtomicU32,
    /// How many regions it is a parent of. Grows under the lock of the parents only.
    pub children: AtomicU32,
    /// Whether a thread fills it at this moment; kept with `MEMPLAN_REGION_DEBUG=1` only.
    pub filled: AtomicBool,
    /// The least size of its first block, as a class. It stays for the header's next life, as who makes a region makes more of its kind.
    pub first: AtomicU8,
    /// How many parents it has.
    pub parent_count: AtomicU32,

    /// The newest chunk.
    pub chunk: AtomicPtr<Chunk>,
    /// Its parents; null without. Changed under their lock only.
    pub parents: AtomicPtr<ParentList>,
    /// Bytes of blocks and chunks, with their heads.
    pub held: AtomicU64,
    pub blocks: AtomicU32,
    pub chunks: AtomicU32,
    /// The most bytes in use when some were given back.
    pub most: AtomicU64,
    /// Bytes that were given back, by clears and marks.
    pub given_back: AtomicU64,
    /// Allocations, and bytes of them, in the header's earlier lives.
    pub ended_allocations: AtomicU64,
    pub ended_bytes: AtomicU64,
}

// The C header reads and writes these.
const _: () = {
    assert!(std::mem::offset_of!(Header, count) == 0 && size_of::<Count>() == 8);
    assert!(std::mem::offset_of!(Header, next) == 8);
    assert!(std::mem::offset_of!(Header, end) == 16);
    assert!(std::mem::offset_of!(Header, allocations) == 32);
    assert!(size_of::<usize>() == 8);
};

// A slab is made of zeros, and so is a header that was never used.
impl Default for Header {
    fn default() -> Self {
        Self {
            count: Count::default(),
            next: AtomicPtr::new(null_mut()),
            end: AtomicUsize::new(0),
            shift: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            block: AtomicPtr::new(null_mut()),
            clears: AtomicU32::new(0),
            children: AtomicU32::new(0),
            filled: AtomicBool::new(false),
            first: AtomicU8::new(0),
            chunk: AtomicPtr::new(null_mut()),
            parents: AtomicPtr::new(null_mut()),
            held: AtomicU64::new(0),
            blocks: AtomicU32::new(0),
            chunks: AtomicU32::new(0),
            parent_count: AtomicU32::new(0),
            most: AtomicU64::new(0),
            given_back: AtomicU64::new(0),
            ended_allocations: AtomicU64::new(0),
            ended_bytes: AtomicU64::new(0),
        }
    }
}

/// While it is there, the thread that has it fills the region.
pub(crate) struct Filling<'h>(Option<&'h Header>);

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        if let Some(header) = self.0 {
            header
                .filled
                .store(false, std::sync::atomic::Ordering::Release);
        }
    }
}

impl Header {
    /// Where the region is.
    pub fn position(&self) -> u64 {
        let next = self.next.load(Relaxed).addr() as u64;
        next.wrapping_add(self.shift.load(Relaxed))
    }

    /// Bytes in use, with the gaps in front of what is aligned.
    pub fn bytes(&self) -> u64 {
        self.position()
            .wrapping_sub(self.parent_count.load(Relaxed).into())
    }

    /// Counts a block or a chunk that it gets.
    pub fn count_taken(&self, counter: &AtomicU32, bytes: usize) {
        counter.store(counter.load(Relaxed) + 1, Relaxed);
        self.held
            .store(self.held.load(Relaxed) + bytes as u64, Relaxed);
    }

    /// Counts a block or a chunk that it gives back.
    pub fn count_given(&self, counter: &AtomicU32, bytes: usize) {
        counter.store(counter.load(Relaxed) - 1, Relaxed);
        self.held
            .store(self.held.load(Relaxed) - bytes as u64, Relaxed);
    }

    /// Moves the position without giving bytes of the block.
    pub fn advance(&self, by: u64) {
        self.shift
            .store(self.shift.load(Relaxed).wrapping_add(by), Relaxed);
    }

    /// Goes on filling a block, the newest or null, after its first bytes.
    pub fn fill_at(&self, block: *mut Block, filled: usize) {
        // SAFETY: the block is the region's own.
        let (next, end) = match unsafe { block.as_ref() } {
            // SAFETY: no more is filled than it has.
            Some(head) => unsafe {
                let base = Block::base(block);
                (base.add(filled), base.addr() + head.size())
            },
            None => (null_mut(), 0),
        };
        self.next.store(next, Relaxed);
        // In debug, each allocation goes the slow way, which checks it.
        let end = if settings::get().debug { 0 } else { end };
        self.end.store(end, Relaxed);
    }

    /// Tells, with `MEMPLAN_REGION_DEBUG=1`, where another thread is filling the region.
    pub fn fill(&self) -> Result<Filling<'_>, Error> {
        if !settings::get().debug {
            return Ok(Filling(None));
        }
        if self.filled.swap(true, std::sync::atomic::Ordering::Acquire) {
            return Err(Error::Busy);
        }
        Ok(Filling(Some(self)))
    }

    /// Counts what is about to be given back: all but `kept` bytes.
    pub fn count_giving_back(&self, bytes: u64, kept: u64) {
        self.most.store(self.most.load(Relaxed).max(bytes), Relaxed);
        let given_back = self.given_back.load(Relaxed) + (bytes - kept);
        self.given_back.store(given_back, Relaxed);
    }
}
