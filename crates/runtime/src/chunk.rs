//! Chunks: one large allocation each, directly from the system.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, system_memory};

static FROM_SYSTEM: AtomicU64 = AtomicU64::new(0);

/// Number of chunks that were ever allocated from the system.
pub(crate) fn allocated_from_system() -> u64 {
    FROM_SYSTEM.load(Ordering::Relaxed)
}

/// The head of a chunk, directly before its bytes.
#[repr(C, align(64))]
pub(crate) struct Chunk {
    /// The chunk that the region allocated before this one.
    pub previous: *mut Chunk,
    /// Position of the region when the chunk was allocated.
    pub position: u64,
    /// Shift of the region with the chunk.
    pub shift: u64,
    /// Requested bytes.
    pub size: usize,
    layout: Layout,
}

const HEAD: usize = size_of::<Chunk>();

impl Chunk {
    /// Allocates a chunk for `size` bytes, at least one, at an alignment. `previous` is the newest chunk of the
    /// region so far.
    pub fn allocate(
        size: usize,
        alignment: usize,
        previous: *mut Self,
        position: u64,
        shift: u64,
    ) -> Result<NonNull<Self>, Error> {
        let alignment = alignment.max(HEAD);
        let too_large = Error::TooLarge(i64::try_from(size).unwrap_or(i64::MAX));
        // The head is at the end of the first `alignment` bytes, so the bytes after it are aligned.
        let all = size.checked_add(alignment).ok_or(too_large)?;
        let layout = Layout::from_size_align(all, alignment).map_err(|_| too_large)?;
        let memory = system_memory::allocate(layout)?;
        // SAFETY: the memory has `alignment` bytes before the requested ones, and the head fits at their end.
        let chunk = unsafe { memory.add(alignment - HEAD).cast::<Self>() };
        let head = Self {
            previous,
            position,
            shift,
            size,
            layout,
        };
        // SAFETY: the memory is ours, and aligned to the size of the head.
        unsafe { chunk.write(head) };
        FROM_SYSTEM.fetch_add(1, Ordering::Relaxed);
        Ok(chunk)
    }

    /// Returns a chunk to the system.
    ///
    /// # Safety
    /// The chunk comes from [`Chunk::allocate`], and nobody uses it.
    pub unsafe fn free(chunk: NonNull<Self>) {
        // SAFETY: the memory starts `alignment` bytes before the requested bytes, which follow the head directly.
        unsafe {
            let layout = (*chunk.as_ptr()).layout;
            let memory = Self::bytes(chunk.as_ptr()).sub(layout.align());
            system_memory::free(NonNull::new_unchecked(memory), layout);
        }
    }

    /// The first requested byte.
    ///
    /// # Safety
    /// The chunk is allocated.
    pub unsafe fn bytes(chunk: *mut Self) -> *mut u8 {
        // SAFETY: the bytes follow the head in the same memory.
        unsafe { chunk.cast::<u8>().add(HEAD) }
    }

    /// Bytes of system memory that the chunk takes, with its head.
    pub fn footprint(&self) -> usize {
        self.layout.size()
    }
}
