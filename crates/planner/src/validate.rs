//! Validates a solution independently of the planners.
//!
//! The check is a sweep over time. The state is an ordered map of the occupied address intervals.
//! At the end of a live range its interval leaves the map. At the start of one it enters, and must
//! not overlap with the interval below or above. Ends come before starts at the same point in time,
//! because live ranges are half-open. The intervals in the map are disjoint, so checking the two
//! neighbours suffices, and the whole sweep takes O(n log n).
//!
//! This module shares no code with the planners. `banks` has the rules of banks.

mod banks;

pub use banks::SharedBank;
pub(crate) use banks::shared;

use crate::{Buffer, LiveRange, Problem, Solution};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Why a solution is invalid. Buffers are given by id; offsets and sizes are in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Violation {
    /// The number of offsets differs from the number of buffers.
    Count {
        /// Offsets in the solution.
        offsets: usize,
        /// Buffers in the problem.
        buffers: usize,
    },
    /// A buffer ends beyond the largest address.
    Overflow {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
    },
    /// An offset is not a multiple of the buffer's alignment.
    Misaligned {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// Its alignment.
        alignment: u64,
    },
    /// A buffer does not lie at its fixed offset.
    Moved {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// Its fixed offset.
        fixed: u64,
    },
    /// A live buffer overlaps a forbidden range.
    Forbidden {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// First byte of the range.
        start: u64,
        /// The first byte after the range.
        end: u64,
    },
    /// Two buffers share bytes while both are live.
    Overlap {
        /// The buffer that was live first.
        first: u64,
        /// The buffer whose live range starts.
        second: u64,
        /// The time of the overlap.
        time: u64,
    },
    /// A buffer has bytes outside of all banks.
    OutsideBanks {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
    },
    /// A buffer touches several banks and may not.
    CrossesBanks {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
    },
    /// A buffer is in a bank in which it may not be, or starts in one in which it may not start.
    Bank {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// The bank.
        bank: u32,
    },
    /// Two buffers that must be apart share a bank.
    SharedBank(SharedBank),
    /// The stated peak is not the largest `offset + size`.
    Peak {
        /// The peak of the solution.
        stated: u64,
        /// The peak of its offsets.
        actual: u64,
    },
    /// The peak does not fit in the capacity.
    Capacity {
        /// The peak.
        peak: u64,
        /// The capacity of the problem.
        capacity: u64,
    },
}

impl Violation {
    /// The violation in words, with a name for each id and the time that people see.
    pub fn in_words<'n>(
        &self,
        name: &dyn Fn(u64) -> Cow<'n, str>,
        shown: &dyn Fn(u64) -> i128,
    ) -> String {
        match *self {
            Self::Count { offsets, buffers } => format!("{offsets} offsets for {buffers} buffers"),
            Self::Overflow { id, offset } => {
                format!("buffer {} at offset {offset} ends beyond 2^64", name(id))
            }
            Self::Misaligned {
                id,
                offset,
                alignment,
            } => format!(
                "buffer {} is at offset {offset}, which is not a multiple of {alignment}",
                name(id)
            ),
            Self::Moved { id, offset, fixed } => format!(
                "buffer {} is at offset {offset} but fixed at {fixed}",
                name(id)
            ),
            Self::Forbidden {
                id,
                offset,
                start,
                end,
            } => format!(
                "buffer {} at offset {offset} reaches into the forbidden range [{start}, {end})",
                name(id)
            ),
            Self::Overlap {
                first,
                second,
                time,
            } => format!(
                "buffers {} and {} share bytes at time {}",
                name(first),
                name(second),
                shown(time)
            ),
            Self::OutsideBanks { id, offset } => format!(
                "buffer {} at offset {offset} has bytes outside of all banks",
                name(id)
            ),
            Self::CrossesBanks { id, offset } => format!(
                "buffer {} at offset {offset} is in several banks, and must be in one",
                name(id)
            ),
            Self::Bank { id, offset, bank } => format!(
                "buffer {} at offset {offset} is in bank {bank}, which is none of its banks",
                name(id)
            ),
            Self::SharedBank(SharedBank {
                first,
                second,
                bank,
                time,
            }) => format!(
                "buffers {} and {}, which must be apart, share bank {bank} at time {}",
                name(first),
                name(second),
                shown(time)
            ),
            Self::Peak { stated, actual } => format!("the peak is {actual} bytes, not {stated}"),
            Self::Capacity { peak, capacity } => {
                format!("a peak of {peak} bytes exceeds the capacity of {capacity}")
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&|id| id.to_string().into(), &i128::from))
    }
}

/// Checks every rule of a valid solution. O(n log n) in the number of live ranges, and every buffer
/// is compared with every forbidden range, of which there are few.
///
/// # Errors
///
/// The first violation.
pub fn validate(problem: &Problem, solution: &Solution) -> Result<(), Violation> {
    let (buffers, offsets) = (&problem.buffers, &solution.offsets);
    if buffers.len() != offsets.len() {
        return Err(Violation::Count {
            offsets: offsets.len(),
            buffers: buffers.len(),
        });
    }

    let mut actual = 0;
    for (buffer, &offset) in buffers.iter().zip(offsets) {
        let id = buffer.id;
        let Some(end) = offset.checked_add(buffer.size) else {
            return Err(Violation::Overflow { id, offset });
        };
        if offset % buffer.alignment != 0 {
            return Err(Violation::Misaligned {
                id,
                offset,
                alignment: buffer.alignment,
            });
        }
        if let Some(fixed) = buffer.fixed_offset
            && fixed != offset
        {
            return Err(Violation::Moved { id, offset, fixed });
        }
        actual = actual.max(end);
    }
    if solution.peak != actual {
        return Err(Violation::Peak {
            stated: solution.peak,
            actual,
        });
    }
    if let Some(capacity) = problem.capacity
        && actual > capacity
    {
        return Err(Violation::Capacity {
            peak: actual,
            capacity,
        });
    }

    forbidden(problem, offsets)?;

    // The addresses of each use, and its buffer; events are small, as sorting them takes most of the time.
    let mut uses: Vec<(u64, u64, usize)> = Vec::with_capacity(buffers.len());
    let mut events: Vec<(u64, bool, usize)> = Vec::with_capacity(2 * buffers.len());
    for (index, (buffer, &offset)) in buffers.iter().zip(offsets).enumerate() {
        if buffer.size == 0 {
            continue;
        }
        for (during, low, high) in used(buffer) {
            let number = uses.len();
            events.push((during.start, true, number));
            events.push((during.end, false, number));
            uses.push((offset + low, offset + high, index));
        }
    }
    events.sort_unstable(); // false before true: ends before starts

    let mut occupied: BTreeMap<u64, (u64, usize)> = BTreeMap::new(); // start: end, buffer there
    for (time, starts, number) in events {
        let (start, end, index) = uses[number];
        if !starts {
            occupied.remove(&start);
            continue;
        }
        let below = occupied.range(..=start).next_back();
        let below = below.filter(|(_, (top, _))| *top > start);
        let above = occupied.range(start..).next();
        let above = above.filter(|(bottom, _)| end > **bottom);
        if let Some((_, &(_, other))) = below.or(above) {
            return Err(Violation::Overlap {
                first: buffers[other].id,
                second: buffers[index].id,
                time,
            });
        }
        occupied.insert(start, (end, index));
    }
    match &problem.banks {
        Some(rules) => banks::check(problem, rules, offsets),
        None => Ok(()),
    }
}

/// The times at which a buffer uses bytes, each with the first of them and the one after the last.
fn used(buffer: &Buffer) -> impl Iterator<Item = (LiveRange, u64, u64)> {
    let whole = buffer.live.iter().map(|&live| (live, 0, buffer.size));
    let windows = buffer.windows.iter();
    whole.chain(windows.map(|window| (window.during, window.low, window.high)))
}

/// Checks that no live buffer overlaps a forbidden range.
fn forbidden(problem: &Problem, offsets: &[u64]) -> Result<(), Violation> {
    for (buffer, &offset) in problem.buffers.iter().zip(offsets) {
        for range in &problem.forbidden {
            let together = used(buffer).any(|(live, low, high)| {
                let at_once = match range.during {
                    Some(during) => live.start < during.end && during.start < live.end,
                    None => true,
                };
                at_once && range.start < offset + high && offset + low < range.end
            });
            if buffer.size > 0 && together {
                return Err(Violation::Forbidden {
                    id: buffer.id,
                    offset,
                    start: range.start,
                    end: range.end,
                });
            }
        }
    }
    Ok(())
}
