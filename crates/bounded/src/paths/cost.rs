//! What the dearest path moves, and how that adds up over turns that come again.
//!
//! From the states in front of some turns to those behind them, a path costs what its way takes, and of
//! several ways that lead to one state the dearest counts: sums and maxima, so turns are a matrix over
//! (max, +), and many of the same turns are a power of it.

/// The most over all paths, each number for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// How often something is moved.
    pub times: u64,
    /// Values moved.
    pub moves: u64,
    /// Bytes moved.
    pub bytes: u64,
}

impl Cost {
    fn each(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            times: of(self.times, other.times),
            moves: of(self.moves, other.moves),
            bytes: of(self.bytes, other.bytes),
        }
    }

    /// One after the other.
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    /// One or the other.
    pub fn or(self, other: Self) -> Self {
        self.each(other, u64::max)
    }

    /// So often.
    pub fn repeated(self, times: u64) -> Self {
        self.each(self, |one, _| one.saturating_mul(times))
    }

    /// What it is more than another one, which is less in nothing.
    pub fn more_than(self, other: Self) -> Option<Self> {
        Some(Self {
            times: self.times.checked_sub(other.times)?,
            moves: self.moves.checked_sub(other.moves)?,
            bytes: self.bytes.checked_sub(other.bytes)?,
        })
    }
}

/// From each state (row) to each state: what the dearest way costs, if there is one.
#[derive(Clone, Debug)]
pub struct Turn {
    count: usize,
    ways: Vec<Option<Cost>>,
}

impl Turn {
    /// No way at all, among so many states.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            ways: vec![None; count * count],
        }
    }

    /// A way.
    pub fn add(&mut self, from: usize, to: usize, cost: Cost) {
        let way = &mut self.ways[from * self.count + to];
        *way = Some(way.map_or(cost, |known| known.or(cost)));
    }

    fn way(&self, from: usize, to: usize) -> Option<Cost> {
        self.ways[from * self.count + to]
    }

    fn twice(&self) -> Self {
        let mut both = Self::new(self.count);
        for from in 0..self.count {
            for middle in 0..self.count {
                let Some(first) = self.way(from, middle) else {
                    continue;
                };
                for to in 0..self.count {
                    if let Some(second) = self.way(middle, to) {
                        both.add(from, to, first.plus(second));
                    }
                }
            }
        }
        both
    }

    /// What it takes to come to each state, so many turns later.
    pub fn after(mut self, mut costs: Vec<Option<Cost>>, mut times: u64) -> Vec<Option<Cost>> {
        while times > 0 {
            if times & 1 == 1 {
                let mut next = vec![None; self.count];
                for (from, cost) in costs.iter().enumerate() {
                    let Some(cost) = cost else { continue };
                    for (to, known) in next.iter_mut().enumerate() {
                        if let Some(way) = self.way(from, to) {
                            let one = cost.plus(way);
                            *known = Some(known.map_or(one, |known: Cost| known.or(one)));
                        }
                    }
                }
                costs = next;
            }
            times >>= 1;
            if times > 0 {
                self = self.twice();
            }
        }
        costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(bytes: u64) -> Cost {
        Cost {
            bytes,
            ..Cost::default()
        }
    }

    #[test]
    fn many_turns_cost_what_they_cost_one_by_one() {
        // One way that is dear each turn, one that was dear before, and from there to the first.
        let mut turn = Turn::new(3);
        turn.add(0, 0, bytes(5));
        turn.add(1, 1, bytes(0));
        turn.add(1, 0, bytes(1));
        turn.add(2, 1, bytes(2));
        let start = vec![Some(bytes(0)), Some(bytes(10)), Some(bytes(40))];
        let mut one_by_one = start.clone();
        for times in 0..40 {
            assert_eq!(turn.clone().after(start.clone(), times), one_by_one);
            one_by_one = turn.clone().after(one_by_one, 1);
        }
        // 40 and 2, then from the second to the first, and 5 each turn.
        let last = turn.after(start, 100)[0];
        assert_eq!(last, Some(bytes(40 + 2 + 1 + 98 * 5)));
    }
}
