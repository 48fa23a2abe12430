//! Problems and their validity.

use crate::bank_check::{self, BankError};
use crate::banks::Banks;
use crate::buffer::{Buffer, LiveRange, Window};
use crate::forbidden::Forbidden;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// The largest size of one buffer, in bytes.
pub const MAX_SIZE: u64 = 1 << 60;

/// A problem: buffers to place in one arena.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The buffers; a solution lists its offsets in the same order.
    pub buffers: Vec<Buffer>,
    /// The most bytes that the arena may have; `None` for no limit.
    pub capacity: Option<u64>,
    /// Addresses that no buffer may use. The ranges may overlap.
    pub forbidden: Vec<Forbidden>,
    /// The banks of the memory, and what may lie in which; `None` if there is only one, without an end.
    pub banks: Option<Banks>,
}

/// Why a problem is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProblemError {
    /// Two buffers have the same id.
    DuplicateId {
        /// The id.
        id: u64,
    },
    /// An alignment is 0.
    Alignment {
        /// The buffer.
        id: u64,
    },
    /// A buffer is larger than [`MAX_SIZE`].
    Size {
        /// The buffer.
        id: u64,
        /// Its size in bytes.
        size: u64,
    },
    /// A live range is empty or ends before it starts.
    EmptyRange {
        /// The buffer.
        id: u64,
        /// The range.
        range: LiveRange,
    },
    /// Live ranges of one buffer overlap or are not in order.
    RangeOrder {
        /// The buffer.
        id: u64,
        /// The range that starts before the end of the one before it.
        range: LiveRange,
    },
    /// A window is not inside the buffer or has no byte, or its time is empty, in a live range, or not after the window
    /// before it.
    Window {
        /// The buffer.
        id: u64,
        /// The window.
        window: Window,
    },
    /// A fixed offset is not a multiple of the buffer's alignment.
    FixedAlignment {
        /// The buffer.
        id: u64,
        /// Its fixed offset in bytes.
        offset: u64,
        /// Its alignment in bytes.
        alignment: u64,
    },
    /// Two buffers are live at the same time and their fixed offsets make them overlap.
    FixedOverlap {
        /// One buffer.
        first: u64,
        /// The other.
        second: u64,
    },
    /// A forbidden range has no byte.
    EmptyForbidden {
        /// Its first byte.
        start: u64,
        /// The first byte after it.
        end: u64,
    },
    /// A range is forbidden at no time.
    EmptyForbiddenTime {
        /// Its first byte.
        start: u64,
        /// The first byte after it.
        end: u64,
        /// When it is forbidden.
        during: LiveRange,
    },
    /// A buffer is fixed at forbidden addresses.
    FixedForbidden {
        /// The buffer.
        id: u64,
        /// Its fixed offset in bytes.
        offset: u64,
        /// First byte of the range.
        start: u64,
        /// The first byte after the range.
        end: u64,
    },
    /// All sizes, alignments, fixed offsets and forbidden ranges together do not fit in `i64::MAX`.
    TooLarge,
    /// More live ranges than the planners can number.
    TooMany {
        /// Live ranges and forbidden ranges in the problem.
        ranges: usize,
    },
    /// An error in the banks, or of a buffer that cannot be in them.
    Banks(BankError),
}

impl ProblemError {
    /// The error in words, with a name for each id.
    pub fn in_words<'n>(&self, name: &dyn Fn(u64) -> Cow<'n, str>) -> String {
        match *self {
            Self::DuplicateId { id } => format!("two buffers have the id {}", name(id)),
            Self::Alignment { id } => format!("buffer {} has alignment 0", name(id)),
            Self::Size { id, size } => {
                format!("buffer {} has {size} bytes, more than 2^60", name(id))
            }
            Self::EmptyRange { id, range } => format!(
                "buffer {} has the empty live range [{}, {})",
                name(id),
                range.start,
                range.end
            ),
            Self::RangeOrder { id, range } => format!(
                "the live ranges of buffer {} are not sorted and disjoint at [{}, {})",
                name(id),
                range.start,
                range.end
            ),
            Self::Window { id, window } => format!(
                "the bytes {}:{} of buffer {} during [{}, {}) are no window: they must be inside the buffer, and the \
                 time after the window before it and outside of the live ranges",
                window.low,
                window.high,
                name(id),
                window.during.start,
                window.during.end
            ),
            Self::FixedAlignment {
                id,
                offset,
                alignment,
            } => format!(
                "buffer {} is fixed at offset {offset}, which is not a multiple of its alignment {alignment}",
                name(id)
            ),
            Self::FixedOverlap { first, second } => format!(
                "buffers {} and {} are live at once and fixed at offsets where they overlap",
                name(first),
                name(second)
            ),
            Self::EmptyForbidden { start, end } => {
                format!("the forbidden range [{start}, {end}) is empty")
            }
            Self::EmptyForbiddenTime { start, end, during } => format!(
                "the range [{start}, {end}) is forbidden during the empty time [{}, {})",
                during.start, during.end
            ),
            Self::FixedForbidden {
                id,
                offset,
                start,
                end,
            } => format!(
                "buffer {} is fixed at offset {offset}, where it reaches into the forbidden range [{start}, {end})",
                name(id)
            ),
            Self::TooLarge => {
                "sizes and alignments, above what is fixed or forbidden, add up to more than 2^63 - 1 bytes".to_owned()
            }
            Self::TooMany { ranges } => format!(
                "{ranges} live and forbidden ranges are more than the planners can number (2^31)"
            ),
            Self::Banks(error) => error.in_words(name),
        }
    }
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&|id| id.to_string().into()))
    }
}

impl Problem {
    /// A problem without a limit on the arena.
    ///
    /// # Errors
    ///
    /// The error of [`check`](Self::check).
    pub fn new(buffers: Vec<Buffer>) -> Result<Self, ProblemError> {
        let problem = Problem {
            buffers,
            ..Problem::default()
        };
        problem.check()?;
        Ok(problem)
    }

    /// The same problem for an arena of at most `capacity` bytes.
    #[must_use]
    pub fn with_capacity(self, capacity: u64) -> Self {
        Problem {
            capacity: Some(capacity),
            ..self
        }
    }

    /// The same problem with another forbidden range.
    #[must_use]
    pub fn with_forbidden(mut self, forbidden: Forbidden) -> Self {
        self.forbidden.push(forbidden);
        self
    }

    /// The same problem in memory with banks.
    #[must_use]
    pub fn with_banks(self, banks: Banks) -> Self {
        Problem {
            banks: Some(banks),
            ..self
        }
    }

    /// The most bytes that a plan may take: the capacity, or the end of the last bank if that is less.
    pub fn limit(&self) -> Option<u64> {
        let end = self.banks.as_ref().and_then(|banks| banks.layout.end());
        match (self.capacity, end) {
            (Some(capacity), Some(end)) => Some(capacity.min(end)),
            (capacity, end) => capacity.or(end),
        }
    }

    /// Whether a buffer uses only some of its bytes at some time.
    pub fn has_windows(&self) -> bool {
        self.buffers.iter().any(|buffer| !buffer.windows.is_empty())
    }

    /// The same problem, in which buffers use no byte during their windows. Its bounds hold for this one.
    pub(crate) fn without_windowed_times(&self) -> Cow<'_, Self> {
        if !self.has_windows() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Problem {
            buffers: self.buffers.iter().map(Buffer::with_holes).collect(),
            capacity: self.capacity,
            forbidden: self.forbidden.clone(),
            banks: self.banks.clone(),
        })
    }

    /// The same problem, in which buffers use all of their bytes during their windows. Its plans are valid for this one.
    ///
    /// Other fixed buffers or forbidden ranges may lie in the bytes that a fixed buffer does not use. Then only the bytes
    /// that fixed buffers do use are forbidden during their windows.
    pub(crate) fn with_whole_windows(&self) -> Cow<'_, Self> {
        if !self.has_windows() {
            return Cow::Borrowed(self);
        }
        let whole = Problem {
            buffers: self.buffers.iter().map(Buffer::without_windows).collect(),
            capacity: self.capacity,
            forbidden: self.forbidden.clone(),
            banks: self.banks.clone(),
        };
        if whole.check().is_ok() {
            return Cow::Owned(whole);
        }
        let mut forbidden = whole.forbidden;
        let buffers = self.buffers.iter().map(|buffer| {
            let Some(offset) = buffer.fixed_offset else {
                return buffer.without_windows();
            };
            forbidden.extend(buffer.windows.iter().map(|window| {
                Forbidden::new(offset + window.low, offset + window.high)
                    .during(window.during.start, window.during.end)
            }));
            buffer.with_holes()
        });
        Cow::Owned(Problem {
            buffers: buffers.collect(),
            capacity: self.capacity,
            forbidden,
            banks: self.banks.clone(),
        })
    }

    /// Checks that the problem is valid: alignments are not 0; live ranges are sorted,
    /// disjoint and not empty; sizes are at most [`MAX_SIZE`]; ids are unique; forbidden ranges are
    /// not empty; fixed offsets are aligned, without conflict and not forbidden; banks are disjoint and not empty, their
    /// rules name buffers and banks of the problem, and each buffer can be in its banks by itself. All other buffers,
    /// placed end to end above everything fixed and forbidden, must end below 2^63 bytes, so that
    /// no planner can overflow.
    ///
    /// O(n log n), and every fixed buffer is compared with every forbidden range, of which there
    /// are few.
    ///
    /// # Errors
    ///
    /// The first rule that a buffer or a forbidden range violates.
    pub fn check(&self) -> Result<(), ProblemError> {
        let mut total = 0u128;
        let mut fixed_end = 0u128;
        let mut ranges = self.forbidden.len();
        for buffer in &self.buffers {
            check_buffer(buffer)?;
            let needed_addresses = needed_addresses(buffer);
            match buffer.fixed_offset {
                Some(_) => fixed_end = fixed_end.max(needed_addresses),
                None => total += needed_addresses,
            }
            ranges += (buffer.live.len() + buffer.windows.len()).max(1);
        }
        for forbidden in &self.forbidden {
            check_forbidden(forbidden)?;
            fixed_end = fixed_end.max(forbidden.end.into());
        }
        if total + fixed_end > i64::MAX as u128 {
            return Err(ProblemError::TooLarge);
        }
        if ranges >= 1 << 31 {
            return Err(ProblemError::TooMany { ranges });
        }
        self.check_ids()?;
        self.check_fixed()?;
        self.check_fixed_forbidden()?;
        match &self.banks {
            Some(banks) => bank_check::check(banks, self).map_err(ProblemError::Banks),
            None => Ok(()),
        }
    }

    fn check_ids(&self) -> Result<(), ProblemError> {
        let mut ids: Vec<u64> = self.buffers.iter().map(|buffer| buffer.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ProblemError::DuplicateId { id: pair[0] }),
            None => Ok(()),
        }
    }

    fn check_fixed_forbidden(&self) -> Result<(), ProblemError> {
        let active = self.buffers.iter().filter(|buffer| buffer.is_active());
        for buffer in active {
            let Some(offset) = buffer.fixed_offset else {
                continue;
            };
            let mut forbidden = self.forbidden.iter();
            if let Some(range) = forbidden.find(|range| range.overlaps(buffer, offset)) {
                return Err(ProblemError::FixedForbidden {
                    id: buffer.id,
                    offset,
                    start: range.start,
                    end: range.end,
                });
            }
        }
        Ok(())
    }

    /// Checks fixed buffers with a sweep over time that maintains the live ones, by offset.
    fn check_fixed(&self) -> Result<(), ProblemError> {
        let mut events = Vec::new();
        for buffer in self.buffers.iter().filter(|buffer| buffer.is_active()) {
            let Some(offset) = buffer.fixed_offset else {
                continue;
            };
            for (time, low, high) in buffer.uses() {
                events.push((time.start, true, offset + low, offset + high, buffer.id));
                events.push((time.end, false, offset + low, offset + high, buffer.id));
            }
        }
        events.sort_unstable_by_key(|&(time, starts, offset, _, id)| (time, starts, offset, id));
        let mut live: BTreeMap<u64, (u64, u64)> = BTreeMap::new(); // start: end, id
        for (_, starts, offset, end, id) in events {
            if !starts {
                live.remove(&offset);
                continue;
            }
            // The ranges in `live` are disjoint, so only the last one that starts below our end
            // can overlap with us.
            if let Some((_, &(top, other))) = live.range(..end).next_back()
                && top > offset
            {
                return Err(ProblemError::FixedOverlap {
                    first: other,
                    second: id,
                });
            }
            live.insert(offset, (end, id));
        }
        Ok(())
    }
}

/// The addresses that a buffer needs, in bytes. A fixed buffer needs those up to its end. Another
/// one may have to lie above all others.
pub(crate) fn needed_addresses(buffer: &Buffer) -> u128 {
    let start = buffer.fixed_offset.unwrap_or(0);
    u128::from(start) + u128::from(buffer.size) + u128::from(buffer.alignment)
}

fn check_forbidden(forbidden: &Forbidden) -> Result<(), ProblemError> {
    let &Forbidden { start, end, during } = forbidden;
    if start >= end {
        return Err(ProblemError::EmptyForbidden { start, end });
    }
    match during {
        Some(during) if during.start >= during.end => {
            Err(ProblemError::EmptyForbiddenTime { start, end, during })
        }
        _ => Ok(()),
    }
}

/// Checks one buffer by itself.
pub(crate) fn check_buffer(buffer: &Buffer) -> Result<(), ProblemError> {
    let &Buffer {
        id,
        size,
        alignment,
        ..
    } = buffer;
    if alignment == 0 {
        return Err(ProblemError::Alignment { id });
    }
    if size > MAX_SIZE {
        return Err(ProblemError::Size { id, size });
    }
    for (index, &range) in buffer.live.iter().enumerate() {
        if range.start >= range.end {
            return Err(ProblemError::EmptyRange { id, range });
        }
        if index > 0 && buffer.live[index - 1].end > range.start {
            return Err(ProblemError::RangeOrder { id, range });
        }
    }
    check_windows(buffer)?;
    match buffer.fixed_offset {
        Some(offset) if offset % alignment != 0 => Err(ProblemError::FixedAlignment {
            id,
            offset,
            alignment,
        }),
        _ => Ok(()),
    }
}

/// Checks the windows of a buffer whose live ranges are valid. O(windows times live ranges): both are few.
fn check_windows(buffer: &Buffer) -> Result<(), ProblemError> {
    let mut end = 0;
    for &window in &buffer.windows {
        let Window { during, low, high } = window;
        let mut live = buffer.live.iter();
        let is_apart = live.all(|range| during.end <= range.start || range.end <= during.start);
        let is_inside = low < high && high <= buffer.size;
        if !is_apart || !is_inside || during.start >= during.end || during.start < end {
            return Err(ProblemError::Window {
                id: buffer.id,
                window,
            });
        }
        end = during.end;
    }
    Ok(())
}
