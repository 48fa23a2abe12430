//! Which lane is free.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lanes that hold ranges without overlap.
#[derive(Default)]
pub struct Lanes {
    /// Those in use, by where their range ends.
    taken: BinaryHeap<Reverse<(u64, usize)>>,
    /// Lanes that were released.
    free: BinaryHeap<Reverse<usize>>,
    count: usize,
}

impl Lanes {
    /// The lowest lane that is free from `start` up to `end`, taken from now on. Starts must not descend.
    pub fn take(&mut self, start: u64, end: u64) -> usize {
        while let Some(&Reverse((until, lane))) = self.taken.peek()
            && until <= start
        {
            self.taken.pop();
            self.free.push(Reverse(lane));
        }
        let lane = self.free.pop().map_or(self.count, |lane| lane.0);
        self.count = self.count.max(lane + 1);
        self.taken.push(Reverse((end, lane)));
        lane
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_lane() {
        let mut lanes = Lanes::default();
        let taken = [(0, 9), (0, 3), (2, 5), (3, 4), (5, 6), (9, 10)]
            .map(|(start, end)| lanes.take(start, end));
        assert_eq!(taken, [0, 1, 2, 1, 1, 0]);
        assert_eq!(lanes.count(), 3);
    }
}
