//! Bytes in use at each position, with their maximum over a range.

use crate::{
    plan::Plan,
    problem::{Problem, Range},
};

/// A segment tree: a range changes, and its maximum is found, in logarithmic time.
#[derive(Clone, Debug)]
pub struct Load {
    leaves: usize,
    /// The most bytes below each node, with what was added to it, but not to its ancestors.
    most: Vec<u64>,
    added: Vec<u64>,
}

impl Load {
    /// What a plan holds, for each space.
    #[must_use]
    pub fn of(problem: &Problem, plan: &Plan) -> Vec<Self> {
        let mut loads = vec![Self::new(problem.positions); problem.spaces.len()];
        for fixed in &problem.fixed {
            loads[fixed.space].add(fixed.range, fixed.bytes);
        }
        for (buffer, sequence) in problem.buffers.iter().zip(&plan.sequences) {
            for (layer, holding) in sequence.holdings.iter().enumerate() {
                for space in holding.iter() {
                    let ranges = buffer.ranges(layer).iter();
                    ranges.for_each(|range| loads[space].add(*range, buffer.size));
                }
            }
        }
        loads
    }

    /// Nothing at all of these positions.
    #[must_use]
    pub fn new(positions: u32) -> Self {
        let leaves = (positions as usize).max(1).next_power_of_two();
        Self {
            leaves,
            most: vec![0; 2 * leaves],
            added: vec![0; 2 * leaves],
        }
    }

    /// Adds bytes to a range.
    pub fn add(&mut self, range: Range, bytes: u64) {
        self.change(range, |at| *at = at.saturating_add(bytes));
    }

    /// Takes bytes away from a range to which they were added.
    pub fn remove(&mut self, range: Range, bytes: u64) {
        self.change(range, |at| *at = at.saturating_sub(bytes));
    }

    fn change(&mut self, range: Range, change: impl Fn(&mut u64)) {
        if range.0 >= range.1 {
            return;
        }
        let (first, last) = (
            range.0 as usize + self.leaves,
            range.1 as usize - 1 + self.leaves,
        );
        let (mut left, mut right) = (first, last);
        let mut apply = |node: usize| {
            change(&mut self.most[node]);
            change(&mut self.added[node]);
        };
        while left <= right {
            if left % 2 == 1 {
                apply(left);
                left += 1;
            }
            if right % 2 == 0 {
                apply(right);
                right -= 1;
            }
            left /= 2;
            right /= 2;
        }
        for leaf in [first, last] {
            let mut node = leaf / 2;
            while node > 0 {
                let below = self.most[2 * node].max(self.most[2 * node + 1]);
                self.most[node] = below.saturating_add(self.added[node]);
                node /= 2;
            }
        }
    }

    /// The most bytes at one position of a range; 0 if it is empty.
    #[must_use]
    pub fn most(&self, range: Range) -> u64 {
        if range.0 >= range.1 {
            return 0;
        }
        self.most_below(1, (0, self.leaves), (range.0 as usize, range.1 as usize))
    }

    fn most_below(&self, node: usize, own: (usize, usize), range: (usize, usize)) -> u64 {
        if range.0 <= own.0 && own.1 <= range.1 {
            return self.most[node];
        }
        let middle = usize::midpoint(own.0, own.1);
        let mut most = 0;
        if range.0 < middle {
            most = self.most_below(2 * node, (own.0, middle), range);
        }
        if range.1 > middle {
            most = most.max(self.most_below(2 * node + 1, (middle, own.1), range));
        }
        most.saturating_add(self.added[node])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn maxima_are_those_of_a_list(changes in prop::collection::vec((0_u32..20, 0_u32..20, 0_u64..9), 0..20), asked in (0_u32..20, 0_u32..20)) {
            let (mut load, mut list) = (Load::new(20), [0_u64; 20]);
            for (from, to, bytes) in &changes {
                load.add((*from, *to), *bytes);
                (*from..*to).for_each(|at| list[at as usize] += bytes);
            }
            if let Some((from, to, bytes)) = changes.first() {
                load.remove((*from, *to), *bytes);
                (*from..*to).for_each(|at| list[at as usize] -= bytes);
            }
            let most = (asked.0..asked.1).map(|at| list[at as usize]).max();
            prop_assert_eq!(load.most(asked), most.unwrap_or(0));
        }
    }
}
