//! When a buffer uses which of its bytes.

use crate::BufferReport;

/// A time in which the same bytes of a buffer are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// First position.
    pub start: u64,
    /// Position after the last.
    pub end: u64,
    /// First byte, counted from the start of the buffer.
    pub low: u64,
    /// Byte after the last.
    pub high: u64,
}

impl Use {
    /// How many bytes are in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.high.saturating_sub(self.low)
    }

    /// Whether the bytes are in use at this position.
    #[must_use]
    pub fn holds(&self, position: u64) -> bool {
        self.start <= position && position < self.end
    }
}

impl BufferReport {
    /// Its live ranges, with all bytes, and its windows, by where they start.
    pub fn uses(&self) -> impl Iterator<Item = Use> {
        let mut live = self.live.iter().peekable();
        let mut windows = self.windows.iter().peekable();
        let size = self.size;
        std::iter::from_fn(move || {
            let is_window = match (live.peek(), windows.peek()) {
                (Some(range), Some(window)) => window.during.0 < range.0,
                (None, Some(_)) => true,
                _ => false,
            };
            if is_window {
                let window = windows.next()?;
                let ((start, end), (low, high)) = (window.during, window.bytes);
                return Some(Use {
                    start,
                    end,
                    low,
                    high,
                });
            }
            let &(start, end) = live.next()?;
            Some(Use {
                start,
                end,
                low: 0,
                high: size,
            })
        })
    }

    /// The times between its first use and its last in which not all of its bytes are in use, ascending.
    pub fn gaps(&self) -> impl Iterator<Item = (u64, u64)> {
        let first = self.uses().next();
        let mut reached = first.map_or(0, |first| first.start);
        let last = self.uses().last();
        let end = last.map(|last| (last.end, last.end));
        let whole = self.live.iter().copied().chain(end);
        whole.filter_map(move |(start, end)| {
            let gap = (reached, start);
            reached = reached.max(end);
            (gap.0 < gap.1).then_some(gap)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{buffer, windowed};

    #[test]
    fn uses_come_by_their_starts() {
        let buffer = windowed(
            buffer(0, 64, 0, &[(2, 4), (9, 12)]),
            &[((0, 2), (8, 16)), ((5, 9), (0, 32)), ((12, 14), (1, 2))],
        );
        let uses: Vec<_> = buffer
            .uses()
            .map(|one| (one.start, one.end, one.low, one.high))
            .collect();
        let expected = [
            (0, 2, 8, 16),
            (2, 4, 0, 64),
            (5, 9, 0, 32),
            (9, 12, 0, 64),
            (12, 14, 1, 2),
        ];
        assert_eq!(uses, expected);
        let gaps: Vec<_> = buffer.gaps().collect();
        assert_eq!(gaps, [(0, 2), (4, 9), (12, 14)]);
    }

    #[test]
    fn what_is_always_whole_has_no_gap() {
        assert_eq!(buffer(0, 64, 0, &[(2, 4), (4, 6)]).gaps().count(), 0);
        assert_eq!(buffer(0, 64, 0, &[]).gaps().count(), 0);
    }
}
