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

/// A range of time in which a buffer uses only some of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Window {
    /// The time.
    pub during: LiveRange,
    /// The first byte of the buffer that is in use.
    pub low: u64,
    /// The first byte after those in use; above `low`, and at most the size.
    pub high: u64,
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
    /// which other buffers may use the bytes. A buffer with an empty list, and without windows, conflicts with nothing.
    pub live: SmallVec<[LiveRange; 1]>,
    /// Times at which only some of the bytes are in use: sorted, disjoint, and apart from `live`.
    pub windows: SmallVec<[Window; 0]>,
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
            windows: SmallVec::new(),
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
        self.size > 0 && (!self.live.is_empty() || !self.windows.is_empty())
    }

    /// The times at which the buffer uses bytes, each with the first of them and the one after the last.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (LiveRange, u64, u64)> {
        let whole = self.live.iter().map(|range| (*range, 0, self.size));
        let windows = self.windows.iter();
        whole.chain(windows.map(|window| (window.during, window.low, window.high)))
    }

    /// The same buffer, which uses all of its bytes during its windows.
    pub(crate) fn without_windows(&self) -> Self {
        let mut all: Vec<LiveRange> = self.uses().map(|(time, ..)| time).collect();
        all.sort_unstable();
        let mut live: SmallVec<[LiveRange; 1]> = SmallVec::new();
        for range in all {
            match live.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => live.push(range),
            }
        }
        Buffer {
            live,
            windows: SmallVec::new(),
            ..self.clone()
        }
    }

    /// The same buffer, which uses no byte during its windows.
    pub(crate) fn with_holes(&self) -> Self {
        Buffer {
            windows: SmallVec::new(),
            ..self.clone()
        }
    }

    /// The same buffer with another window: it uses only the bytes from `low` up to but not including `high` during
    /// that time, which must not be in a live range.
    #[must_use]
    pub fn with_window(mut self, (start, end): (u64, u64), low: u64, high: u64) -> Self {
        let during = LiveRange { start, end };
        self.windows.push(Window { during, low, high });
        self
    }
}
