//! Live bytes at each position, and their maximum, under updates of live ranges.

use memplan_lifetimes::{live::Ranges, program::Position};
use smallvec::SmallVec;

/// The most bytes that are live at one position, and the number of positions with that many. Less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Peak {
    /// Live bytes.
    pub bytes: i128,
    /// Number of positions.
    pub positions: u32,
}

impl Peak {
    /// The maximum of two disjoint sets of positions.
    fn both(self, other: Self) -> Self {
        let mut peak = self.max(other);
        if self.bytes == other.bytes {
            peak.positions = self.positions + other.positions;
        }
        peak
    }
}

/// A segment tree over the positions of a function: O(log n) for a range, O(1) for the peak.
#[derive(Clone)]
pub struct Load {
    leaves: usize,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    /// Peak below this node, without `added` of its ancestors.
    peak: Peak,
    /// Bytes added to all positions below.
    added: i128,
}

impl Load {
    /// Builds the tree for `count` positions from live ranges with their bytes. O(n + ranges).
    pub fn new<'r>(
        positions: Position,
        live: impl IntoIterator<Item = (&'r Ranges, i128)>,
    ) -> Self {
        let leaves = (positions as usize).max(1).next_power_of_two();
        let none = Peak {
            bytes: 0,
            positions: 1,
        };
        let node = Node {
            peak: none,
            added: 0,
        };
        let mut nodes = vec![node; 2 * leaves];
        for (ranges, bytes) in live {
            for (first, end) in ranges {
                nodes[leaves + *first as usize].peak.bytes += bytes;
                if let Some(after) = nodes.get_mut(leaves + *end as usize) {
                    after.peak.bytes -= bytes;
                }
            }
        }
        // The table has differences from one position to the next.
        let mut bytes = 0;
        for leaf in &mut nodes[leaves..] {
            bytes += leaf.peak.bytes;
            leaf.peak.bytes = bytes;
        }
        for index in (1..leaves).rev() {
            nodes[index].peak = nodes[2 * index].peak.both(nodes[2 * index + 1].peak);
        }
        Self { leaves, nodes }
    }

    /// The peak.
    pub fn peak(&self) -> Peak {
        self.nodes[1].peak
    }

    /// Moves bytes from the first ranges to the second. Common positions do not change.
    pub fn change(&mut self, from: &Ranges, to: &Ranges, bytes: i128) {
        let mut events: SmallVec<[(Position, i8); 8]> = SmallVec::new();
        let mut ends = |ranges: &Ranges, sign: i8| {
            for (first, end) in ranges {
                events.extend([(*first, sign), (*end, -sign)]);
            }
        };
        ends(from, -1);
        ends(to, 1);
        events.sort_unstable_by_key(|(position, _)| *position);
        let mut sign = 0;
        for pair in events.windows(2) {
            sign += pair[0].1;
            if sign != 0 && pair[0].0 < pair[1].0 {
                let range = (pair[0].0 as usize, pair[1].0 as usize);
                self.range(1, 0, self.leaves, range, bytes * i128::from(sign));
            }
        }
    }

    /// Adds bytes to a range of positions.
    pub fn add(&mut self, range: (Position, Position), bytes: i128) {
        if range.0 < range.1 {
            self.range(
                1,
                0,
                self.leaves,
                (range.0 as usize, range.1 as usize),
                bytes,
            );
        }
    }

    /// The first position with the most bytes.
    pub fn first_peak(&self) -> Position {
        let mut node = 1;
        while node < self.leaves {
            let (left, right) = (&self.nodes[2 * node], &self.nodes[2 * node + 1]);
            node = 2 * node + usize::from(left.peak.bytes < right.peak.bytes);
        }
        (node - self.leaves) as Position
    }

    fn range(
        &mut self,
        node: usize,
        start: usize,
        length: usize,
        range: (usize, usize),
        bytes: i128,
    ) {
        if range.0 >= start + length || range.1 <= start {
            return;
        }
        if range.0 <= start && start + length <= range.1 {
            self.nodes[node].added += bytes;
            self.nodes[node].peak.bytes += bytes;
            return;
        }
        let half = length / 2;
        self.range(2 * node, start, half, range, bytes);
        self.range(2 * node + 1, start + half, half, range, bytes);
        let mut peak = self.nodes[2 * node]
            .peak
            .both(self.nodes[2 * node + 1].peak);
        peak.bytes += self.nodes[node].added;
        self.nodes[node].peak = peak;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peak of a plain table.
    fn peak(table: &[i128]) -> Peak {
        let most = *table.iter().max().unwrap();
        let positions = table.iter().filter(|bytes| **bytes == most).count() as u32;
        Peak {
            bytes: most,
            positions,
        }
    }

    #[test]
    fn the_first_peak_is_the_leftmost() {
        let live = [((2, 9), 4_i128), ((3, 5), 6), ((7, 8), 6)];
        let live = live.map(|(range, bytes)| (Ranges::from_slice(&[range]), bytes));
        let mut load = Load::new(10, live.iter().map(|(live, bytes)| (live, *bytes)));
        assert_eq!(load.first_peak(), 3);
        load.add((3, 4), -1);
        assert_eq!(load.first_peak(), 4);
        load.add((4, 4), 100);
        load.add((4, 5), -1);
        assert_eq!((load.first_peak(), load.peak().bytes), (7, 10));
    }

    #[test]
    fn the_peak_is_that_of_a_plain_table() {
        let mut random = 1_u64;
        let mut range = || {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let (first, length) = ((random >> 40) % 13, (random >> 50) % 7);
            let end = (first + length).min(13);
            let bytes = i128::from((random >> 33) % 100) - 40;
            ((first as Position, end as Position), bytes)
        };
        let mut table = [0_i128; 16];
        let mut fill = |(first, end): (Position, Position), bytes: i128| {
            (first..end).for_each(|place| table[place as usize] += bytes);
            peak(&table)
        };
        let mut live = Vec::new();
        let mut expected = peak(&[0; 16]);
        for _ in 0..20 {
            let (one, bytes) = range();
            expected = fill(one, bytes);
            live.push((Ranges::from_slice(&[one]), bytes));
        }
        let mut load = Load::new(13, live.iter().map(|(live, bytes)| (live, *bytes)));
        assert_eq!(load.peak(), expected);
        for _ in 0..500 {
            // Replaces one range by another.
            let ((from, bytes), (to, _)) = (range(), range());
            fill(from, -bytes);
            expected = fill(to, bytes);
            load.change(
                &Ranges::from_slice(&[from]),
                &Ranges::from_slice(&[to]),
                bytes,
            );
            assert_eq!(load.peak(), expected);
        }
    }
}
