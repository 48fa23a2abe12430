//! A buffer: its size and its live ranges.

use smallvec::SmallVec;

/// A half-open range of time `[start, end)`, in whatever unit the caller counts time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LiveRange {
    /// First point in time at which the buffer is live.
    pub start: u64,
    /// First point in time after `start` at which the buffer is no longer live.
    pub end: u64,
}

impl From<(u64, u64)> for LiveRange {
    fn from((start, end): (u64, u64)) -> Self {
        LiveRange { start, end }
    }
}

/// A request for memory over a set of live ranges.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Buffer {
    /// The caller's id for the buffer. Ids are unique in a problem; they need not be dense.
    pub id: u64,
    /// Bytes. A buffer of zero bytes conflicts with nothing.
    pub size: u64,
    /// The offset must be a multiple of this many bytes: any number but 0.
    pub alignment: u64,
    /// The live ranges: sorted, disjoint, none empty. The gap between two ranges is a hole, in
    /// which other buffers may use the bytes. A buffer with an empty list conflicts with nothing.
    pub live: SmallVec<[LiveRange; 1]>,
    /// The offset in bytes, if it is decided in advance.
    pub fixed_offset: Option<u64>,
}

impl Buffer {
    /// A buffer of `size` bytes with alignment 1 and no fixed offset; `live` lists starts and ends.
    pub fn new(id: u64, size: u64, live: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let live = live.into_iter().map(LiveRange::from).collect();
        Buffer {
            id,
            size,
            alignment: 1,
            live,
            fixed_offset: None,
        }
    }

    /// The same buffer with another alignment, in bytes.
    #[must_use]
    pub fn aligned(self, alignment: u64) -> Self {
        Buffer { alignment, ..self }
    }

    /// The same buffer with its offset fixed at `offset` bytes.
    #[must_use]
    pub fn fixed_at(self, offset: u64) -> Self {
        Buffer {
            fixed_offset: Some(offset),
            ..self
        }
    }

    /// Whether the buffer can conflict with another: it has bytes and is live at some time.
    pub(crate) fn is_active(&self) -> bool {
        self.size > 0 && !self.live.is_empty()
    }
}
