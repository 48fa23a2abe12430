//! How many bytes are live at each position, and the most of all, as live ranges come and go.

use memplan_lifetimes::{live::Ranges, program::Position};

/// The most bytes that are live at one position, and at how many positions they are: less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Peak {
    /// Bytes.
    pub bytes: i128,
    /// Positions.
    pub positions: u32,
}

/// A segment tree over the positions of a function: O(log n) for a range, O(1) for the peak.
pub struct Load {
    leaves: usize,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    /// Of what is below, without `added` of the nodes above.
    peak: Peak,
    /// To all positions below.
    added: i128,
}

impl Load {
    /// Nothing is live at any of so many positions.
    pub fn new(positions: Position) -> Self {
        let leaves = (positions as usize).max(1).next_power_of_two();
        let mut nodes = vec![
            Node {
                peak: Peak {
                    bytes: 0,
                    positions: 1,
                },
                added: 0,
            };
            2 * leaves
        ];
        for index in (1..leaves).rev() {
            nodes[index].peak.positions = 2 * nodes[2 * index].peak.positions;
        }
        Self { leaves, nodes }
    }

    /// The peak.
    pub fn peak(&self) -> Peak {
        self.nodes[1].peak
    }

    /// So many bytes more, or less, in these ranges.
    pub fn add(&mut self, ranges: &Ranges, bytes: i128) {
        for &(first, end) in ranges {
            self.range(1, 0, self.leaves, (first as usize, end as usize), bytes);
        }
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
        let (left, right) = (self.nodes[2 * node].peak, self.nodes[2 * node + 1].peak);
        let mut peak = left.max(right);
        if left.bytes == right.bytes {
            peak.positions = left.positions + right.positions;
        }
        peak.bytes += self.nodes[node].added;
        self.nodes[node].peak = peak;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_that_of_a_plain_table() {
        let mut load = Load::new(13);
        let mut table = [0_i128; 16];
        let mut random = 1_u64;
        for _ in 0..500 {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let (first, length) = ((random >> 40) % 13, (random >> 50) % 7);
            let end = (first + length).min(13);
            let bytes = i128::from((random >> 33) % 100) - 40;
            let ranges = Ranges::from_slice(&[(first as Position, end as Position)]);
            load.add(&ranges, bytes);
            for place in first..end {
                table[place as usize] += bytes;
            }
            let most = *table.iter().max().unwrap();
            let positions = table.iter().filter(|bytes| **bytes == most).count() as u32;
            assert_eq!(
                load.peak(),
                Peak {
                    bytes: most,
                    positions
                }
            );
        }
    }
}
