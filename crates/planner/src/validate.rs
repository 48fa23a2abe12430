//! Validates a solution independently of the planners.
//!
//! The check is a sweep over time. The state is an ordered map of the occupied address intervals.
//! At the end of a live range its interval leaves the map. At the start of one it enters, and must
//! not overlap with the interval below or above. Ends come before starts at the same point in time,
//! because live ranges are half-open. The intervals in the map are disjoint, so checking the two
//! neighbours suffices, and the whole sweep takes O(n log n).
//!
//! This module shares no code with the planners.

use crate::{Problem, Solution};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a solution is invalid. Buffers are given by id; offsets and sizes are in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Violation {
    /// The number of offsets differs from the number of buffers.
    #[error("{offsets} offsets for {buffers} buffers")]
    Count {
        /// Offsets in the solution.
        offsets: usize,
        /// Buffers in the problem.
        buffers: usize,
    },
    /// A buffer ends beyond the largest address.
    #[error("buffer {id} at offset {offset} ends beyond 2^64")]
    Overflow {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
    },
    /// An offset is not a multiple of the buffer's alignment.
    #[error("buffer {id} is at offset {offset}, which is not a multiple of {alignment}")]
    Misaligned {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// Its alignment.
        alignment: u64,
    },
    /// A buffer does not lie at its fixed offset.
    #[error("buffer {id} is at offset {offset} but fixed at {fixed}")]
    Moved {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// Its fixed offset.
        fixed: u64,
    },
    /// A live buffer overlaps a forbidden range.
    #[error("buffer {id} at offset {offset} reaches into the forbidden range [{start}, {end})")]
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
    #[error("buffers {first} and {second} share bytes at time {time}")]
    Overlap {
        /// The buffer that was live first.
        first: u64,
        /// The buffer whose live range starts.
        second: u64,
        /// The time of the overlap.
        time: u64,
    },
    /// The stated peak is not the largest `offset + size`.
    #[error("the peak is {actual} bytes, not {stated}")]
    Peak {
        /// The peak of the solution.
        stated: u64,
        /// The peak of its offsets.
        actual: u64,
    },
    /// The peak does not fit in the capacity.
    #[error("a peak of {peak} bytes exceeds the capacity of {capacity}")]
    Capacity {
        /// The peak.
        peak: u64,
        /// The capacity of the problem.
        capacity: u64,
    },
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

    let mut events = Vec::new();
    for (index, buffer) in buffers.iter().enumerate() {
        if buffer.size > 0 {
            for range in &buffer.live {
                events.push((range.start, true, index));
                events.push((range.end, false, index));
            }
        }
    }
    events.sort_unstable(); // false before true: ends before starts

    let mut occupied: BTreeMap<u64, usize> = BTreeMap::new(); // offset -> buffer there
    for (time, starts, index) in events {
        let offset = offsets[index];
        if !starts {
            occupied.remove(&offset);
            continue;
        }
        let below = occupied.range(..=offset).next_back();
        let above = occupied.range(offset..).next();
        if let Some((_, &other)) = below
            && offsets[other] + buffers[other].size > offset
        {
            return Err(Violation::Overlap {
                first: buffers[other].id,
                second: buffers[index].id,
                time,
            });
        }
        if let Some((&other_offset, &other)) = above
            && offset + buffers[index].size > other_offset
        {
            return Err(Violation::Overlap {
                first: buffers[other].id,
                second: buffers[index].id,
                time,
            });
        }
        occupied.insert(offset, index);
    }
    Ok(())
}

/// Checks that no live buffer overlaps a forbidden range.
fn forbidden(problem: &Problem, offsets: &[u64]) -> Result<(), Violation> {
    for (buffer, &offset) in problem.buffers.iter().zip(offsets) {
        let end = offset + buffer.size;
        for range in &problem.forbidden {
            if buffer.size == 0 || end <= range.start || range.end <= offset {
                continue;
            }
            let together = buffer.live.iter().any(|live| match range.during {
                Some(during) => live.start < during.end && during.start < live.end,
                None => true,
            });
            if together {
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
