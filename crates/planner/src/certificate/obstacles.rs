//! The possible offsets of a buffer: aligned, and clear of fixed buffers and forbidden ranges while
//! it is live.

use super::overlaps::{NumberedRanges, overlaps};
use crate::{LiveRange, Problem};
use smallvec::SmallVec;

/// The offset of a buffer that fits nowhere: above all other offsets.
pub const NO_OFFSET: u64 = u64::MAX;

/// The possible offsets of every buffer.
#[derive(Debug)]
pub struct PossibleOffsets {
    alignments: Vec<u64>,
    /// The start of each buffer's gaps in `gaps`, and the end of the last.
    starts: Vec<usize>,
    gaps: Vec<Gap>,
}

/// The least and the largest aligned offset between two obstacles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    first: u64,
    last: u64,
}

/// Bytes that no other buffer may use for some time.
struct Obstacle {
    start: u64,
    end: u64,
    live: SmallVec<[LiveRange; 1]>,
}

/// All obstacles of a buffer that is not fixed. Omitting one would make proofs wrong, not weak: a
/// new kind of constraint in [`Problem`] must be handled here. Not so rules for banks: without them, the problem has all of
/// its plans and more, and this is about those of that problem.
fn obstacles(problem: &Problem) -> Vec<Obstacle> {
    let Problem {
        buffers,
        capacity: _,
        forbidden,
        banks: _,
    } = problem;
    let active = buffers.iter().filter(|buffer| buffer.is_active());
    let fixed = active.filter_map(|buffer| {
        let start = buffer.fixed_offset?;
        Some(Obstacle {
            start,
            end: start.saturating_add(buffer.size),
            live: buffer.live.clone(),
        })
    });
    let forbidden = forbidden.iter().map(|range| Obstacle {
        start: range.start,
        end: range.end,
        live: [range.time()].into_iter().collect(),
    });
    fixed.chain(forbidden).collect()
}

impl PossibleOffsets {
    /// For each fixed buffer its offset alone, for each buffer without obstacles all aligned
    /// offsets.
    pub fn new(problem: &Problem) -> Self {
        let obstacles = obstacles(problem);
        let subjects: Vec<NumberedRanges> = (0u32..)
            .zip(&problem.buffers)
            .filter(|(_, buffer)| buffer.is_active() && buffer.fixed_offset.is_none())
            .map(|(position, buffer)| (position, buffer.live.as_slice()))
            .collect();
        let objects: Vec<NumberedRanges> = (0u32..)
            .zip(&obstacles)
            .map(|(number, obstacle)| (number, obstacle.live.as_slice()))
            .collect();
        let met = overlaps(problem.buffers.len(), &subjects, &objects);
        let mut places = PossibleOffsets {
            alignments: Vec::new(),
            starts: vec![0],
            gaps: Vec::new(),
        };
        for (position, buffer) in problem.buffers.iter().enumerate() {
            places.alignments.push(buffer.alignment);
            if let Some(offset) = buffer.fixed_offset {
                let (first, last) = (offset, offset);
                places.gaps.push(Gap { first, last });
            } else {
                let mut taken: Vec<(u64, u64)> = met
                    .of(position)
                    .iter()
                    .map(|&number| &obstacles[number as usize])
                    .map(|obstacle| (obstacle.start, obstacle.end))
                    .collect();
                taken.sort_unstable();
                places.add_gaps(&taken, buffer.size, buffer.alignment);
            }
            places.starts.push(places.gaps.len());
        }
        places
    }

    /// Adds the gaps of at least `size` bytes between the `taken` ranges, which are sorted by
    /// start.
    fn add_gaps(&mut self, taken: &[(u64, u64)], size: u64, alignment: u64) {
        let mut free = 0u64; // the end of the ranges so far
        for &(start, end) in taken.iter().chain([&(NO_OFFSET, NO_OFFSET)]) {
            if let Some(first) = free.checked_next_multiple_of(alignment)
                && let Some(last) = start.checked_sub(size)
                && first <= last
            {
                let last = last - last % alignment;
                self.gaps.push(Gap { first, last });
            }
            free = free.max(end);
        }
    }

    /// The gaps of possible offsets of the buffer at `position`. Within a gap they are multiples of
    /// its alignment.
    pub fn gaps(&self, position: usize) -> &[Gap] {
        &self.gaps[self.starts[position]..self.starts[position + 1]]
    }

    /// The least possible offset of the buffer at `position` that is not below `offset`, or
    /// [`NO_OFFSET`]. Monotonic in `offset`.
    pub fn least_from(&self, position: usize, offset: u64) -> u64 {
        let gaps = self.gaps(position);
        let gap = gaps.partition_point(|gap| gap.last < offset);
        gaps.get(gap).map_or(NO_OFFSET, |gap| {
            gap.first
                .max(offset.next_multiple_of(self.alignments[position]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    fn offsets(buffer: Buffer, fixed: &[(u64, u64, (u64, u64))]) -> Vec<u64> {
        let fixed = (1..)
            .zip(fixed)
            .map(|(id, &(at, size, live))| Buffer::new(id, size, [live]).fixed_at(at));
        let buffers = [buffer].into_iter().chain(fixed).collect();
        let places = PossibleOffsets::new(&Problem::new(buffers).expect("a valid problem"));
        let mut all = Vec::new();
        let mut from = 0;
        while from < 40 {
            let offset = places.least_from(0, from);
            all.push(offset);
            from = offset.saturating_add(1);
        }
        all
    }

    #[test]
    fn a_free_buffer_avoids_fixed_ones_while_it_is_live() {
        let buffer = Buffer::new(0, 6, [(0, 2), (4, 5)]).aligned(4);
        assert_eq!(
            offsets(buffer.clone(), &[]),
            [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]
        );
        let fixed = [
            (2, 1, (1, 3)),
            (10, 5, (0, 1)),
            (14, 9, (4, 9)),
            (16, 2, (0, 1)),
            (31, 3, (2, 4)),
        ];
        assert_eq!(offsets(buffer, &fixed), [4, 24, 28, 32, 36, 40]);
    }

    #[test]
    fn a_fixed_buffer_lies_nowhere_else() {
        let buffer = Buffer::new(0, 6, [(0, 2)]).aligned(4).fixed_at(8);
        assert_eq!(offsets(buffer, &[(14, 5, (0, 9))]), [8, NO_OFFSET]);
    }
}
