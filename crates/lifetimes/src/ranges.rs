//! Positions in a function, and ranges of them.

use smallvec::SmallVec;

/// A position in program order.
pub type Position = u32;

/// Half-open ranges of positions: sorted, disjoint and not adjacent.
pub type Ranges = SmallVec<[(Position, Position); 1]>;

/// Whether a position lies in one of the ranges.
pub fn contains(ranges: &Ranges, position: Position) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= position);
    after > 0 && position < ranges[after - 1].1
}

/// Sorts ranges and joins those that overlap or touch.
pub fn union(mut ranges: Vec<(Position, Position)>) -> Ranges {
    ranges.sort_unstable();
    let mut merged = Ranges::new();
    for (first, end) in ranges {
        match merged.last_mut() {
            Some(last) if first <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((first, end)),
        }
    }
    merged
}
