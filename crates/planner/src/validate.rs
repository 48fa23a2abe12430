//! Says whether a solution is right, from the outside.
//!
//! A sweep over time. The state is an ordered map of the address intervals that are occupied now.
//! At the end of a live range its interval leaves the map; at the start of one it enters, and must
//! not reach into the interval below it or above it. Ends come before starts at the same point in
//! time, because live ranges are half-open. Since the intervals in the map are disjoint, looking at
//! the two neighbours is enough, and the whole sweep takes O(n log n).
//!
//! Nothing here is shared with the planners.

use crate::{Problem, Solution};
use std::collections::BTreeMap;
use thiserror::Error;

/// What is wrong with a solution. Buffers are named by id; offsets and sizes are bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Violation {
    /// The solution has another number of offsets than the problem has buffers.
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
    /// A buffer is not where it was fixed.
    #[error("buffer {id} is at offset {offset} but fixed at {fixed}")]
    Moved {
        /// The buffer.
        id: u64,
        /// Its offset.
        offset: u64,
        /// Where it should be.
        fixed: u64,
    },
    /// A live buffer uses bytes that no buffer may use.
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
        /// The buffer that was there already.
        first: u64,
        /// The buffer whose live range starts.
        second: u64,
        /// When.
        time: u64,
    },
    /// The stated peak is not the largest `offset + size`.
    #[error("the peak is {actual} bytes, not {stated}")]
    Peak {
        /// What the solution says.
        stated: u64,
        /// What its offsets say.
        actual: u64,
    },
    /// The peak does not fit in the capacity.
    #[error("a peak of {peak} bytes exceeds the capacity of {capacity}")]
    Capacity {
        /// The peak.
        peak: u64,
        /// What the problem allows.
        capacity: u64,
    },
}

/// Checks every rule that a solution must keep. O(n log n) in the number of live ranges, and every
/// buffer is held against every forbidden range, of which there are few.
///
/// # Errors
///
/// The first rule that is broken.
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

/// No byte of a buffer is forbidden while it is live.
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
