//! Chunks: one large request each, from the system and back to it.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, system};

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// How many chunks the system gave.
pub(crate) fn taken() -> u64 {
    TAKEN.load(Ordering::Relaxed)
}

/// The head of a chunk, right in front of its bytes.
#[repr(C, align(64))]
pub(crate) struct Chunk {
    /// The chunk that was taken before.
    pub before: *mut Chunk,
    /// Where the region was when it was taken.
    pub position: u64,
    /// The region's shift with it.
    pub shift: u64,
    /// How many bytes were wanted.
    pub size: usize,
    layout: Layout,
}

const HEAD: usize = size_of::<Chunk>();

impl Chunk {
    /// A chunk for `size` bytes, at least one, at an alignment; `before` is the newest so far.
    pub fn take(
        size: usize,
        alignment: usize,
        before: *mut Self,
        position: u64,
        shift: u64,
    ) -> Result<NonNull<Self>, Error> {
        let alignment = alignment.max(HEAD);
        let too_large = Error::TooLarge(i64::try_from(size).unwrap_or(i64::MAX));
        // The head is at the end of the first piece of the alignment's size, so that what is behind it is aligned.
        let all = size.checked_add(alignment).ok_or(too_large)?;
        let layout = Layout::from_size_align(all, alignment).map_err(|_| too_large)?;
        let memory = system::take(layout)?;
        // SAFETY: the memory has `alignment` bytes in front of what is wanted, and the head fits in the last of them.
        let chunk = unsafe { memory.add(alignment - HEAD).cast::<Self>() };
        let head = Self {
            before,
            position,
            shift,
            size,
            layout,
        };
        // SAFETY: ours, aligned to the size of the head.
        unsafe { chunk.write(head) };
        TAKEN.fetch_add(1, Ordering::Relaxed);
        Ok(chunk)
    }

    /// Gives a chunk back to the system.
    ///
    /// # Safety
    /// [`Chunk::take`] gave it, and nobody uses it.
    pub unsafe fn give(chunk: NonNull<Self>) {
        // SAFETY: the memory starts one alignment in front of the bytes, which are right behind the head.
        unsafe {
            let layout = (*chunk.as_ptr()).layout;
            let memory = Self::bytes(chunk.as_ptr()).sub(layout.align());
            system::give(NonNull::new_unchecked(memory), layout);
        }
    }

    /// The bytes that were wanted.
    ///
    /// # Safety
    /// The chunk is there.
    pub unsafe fn bytes(chunk: *mut Self) -> *mut u8 {
        // SAFETY: they lie behind the head, in the same memory.
        unsafe { chunk.cast::<u8>().add(HEAD) }
    }

    /// How many bytes of the system it takes.
    pub fn footprint(&self) -> usize {
        self.layout.size()
    }
}
