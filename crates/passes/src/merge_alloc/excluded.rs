//! Addresses of arenas that no buffer may use.

use crate::memory_spaces::per_space::PerSpace;

/// A range of such addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// The first one.
    pub start: u64,
    /// The first one after them.
    pub end: u64,
    /// The name of the global whose bytes they are; empty where the option `forbid` excludes them.
    pub state: String,
}

/// Those of each memory space.
pub type ExcludedAddresses = PerSpace<Vec<Excluded>>;

/// Ranges, sorted and disjoint. Between two of them is room for a buffer with this alignment.
pub fn merged(ranges: impl IntoIterator<Item = (u64, u64)>, alignment: u64) -> Vec<(u64, u64)> {
    let mut sorted: Vec<(u64, u64)> = ranges.into_iter().collect();
    sorted.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in sorted {
        match merged.last_mut() {
            Some(last) if last.1.next_multiple_of(alignment) >= start => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn gaps_without_an_aligned_address_are_closed() {
        let ranges = [(64, 80), (0, 8), (160, 200), (100, 120)];
        assert_eq!(merged(ranges, 64), [(0, 120), (160, 200)]);
        assert_eq!(
            merged(ranges, 1),
            [(0, 8), (64, 80), (100, 120), (160, 200)]
        );
        assert_eq!(merged([(0, 4), (4, 6), (2, 3)], 1), [(0, 6)]);
    }
}
