//! Maximum cost over all paths, added up over repeated iterations.
//!
//! The cost of a path is the sum of its steps. Where several paths lead to the same state, the maximum counts. So an
//! iteration is a matrix over the semiring (max, +), and repeated iterations are a power of it.

/// The maximum over all paths, for each field separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The number of operations before which values are moved.
    pub defragmentations: u64,
    /// The number of values moved.
    pub moves: u64,
    /// The number of bytes moved.
    pub bytes: u64,
}

impl Cost {
    fn zip(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            defragmentations: of(self.defragmentations, other.defragmentations),
            moves: of(self.moves, other.moves),
            bytes: of(self.bytes, other.bytes),
        }
    }

    /// The cost of one path after the other.
    pub fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// The maximum of both costs.
    pub fn or(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }

    /// The cost of `times` repetitions.
    pub fn repeated(self, times: u64) -> Self {
        self.zip(self, |one, _| one.saturating_mul(times))
    }

    /// The difference to a smaller cost; `None` if `other` is larger in some field.
    pub fn more_than(self, other: Self) -> Option<Self> {
        Some(Self {
            defragmentations: self.defragmentations.checked_sub(other.defragmentations)?,
            moves: self.moves.checked_sub(other.moves)?,
            bytes: self.bytes.checked_sub(other.bytes)?,
        })
    }
}

/// A matrix of the maximum cost from each state (row) to each state (column), where there is a path.
#[derive(Clone, Debug)]
pub struct IterationCost {
    count: usize,
    entries: Vec<Option<Cost>>,
}

impl IterationCost {
    /// A matrix of `count` states without any path.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            entries: vec![None; count * count],
        }
    }

    /// Adds a path.
    pub fn add(&mut self, from: usize, to: usize, cost: Cost) {
        let entry = &mut self.entries[from * self.count + to];
        *entry = Some(entry.map_or(cost, |known| known.or(cost)));
    }

    fn get(&self, from: usize, to: usize) -> Option<Cost> {
        self.entries[from * self.count + to]
    }

    fn squared(&self) -> Self {
        let mut both = Self::new(self.count);
        for from in 0..self.count {
            for middle in 0..self.count {
                let Some(first) = self.get(from, middle) else {
                    continue;
                };
                for to in 0..self.count {
                    if let Some(second) = self.get(middle, to) {
                        both.add(from, to, first.plus(second));
                    }
                }
            }
        }
        both
    }

    /// The cost of reaching each state, `times` iterations later.
    pub fn apply(mut self, mut costs: Vec<Option<Cost>>, mut times: u64) -> Vec<Option<Cost>> {
        while times > 0 {
            if times & 1 == 1 {
                let mut next = vec![None; self.count];
                for (from, cost) in costs.iter().enumerate() {
                    let Some(cost) = cost else { continue };
                    for (to, known) in next.iter_mut().enumerate() {
                        if let Some(entry) = self.get(from, to) {
                            let one = cost.plus(entry);
                            *known = Some(known.map_or(one, |known: Cost| known.or(one)));
                        }
                    }
                }
                costs = next;
            }
            times >>= 1;
            if times > 0 {
                self = self.squared();
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
    fn repeated_iterations_cost_the_same_as_single_ones() {
        // State 0 costs 5 in each iteration. State 1 starts with a higher cost; a path leads from it to state 0.
        let mut iteration = IterationCost::new(3);
        iteration.add(0, 0, bytes(5));
        iteration.add(1, 1, bytes(0));
        iteration.add(1, 0, bytes(1));
        iteration.add(2, 1, bytes(2));
        let start = vec![Some(bytes(0)), Some(bytes(10)), Some(bytes(40))];
        let mut one_by_one = start.clone();
        for times in 0..40 {
            assert_eq!(iteration.clone().apply(start.clone(), times), one_by_one);
            one_by_one = iteration.clone().apply(one_by_one, 1);
        }
        // 40 and 2, then the path from state 1 to state 0, and 5 in each iteration.
        let last = iteration.apply(start, 100)[0];
        assert_eq!(last, Some(bytes(40 + 2 + 1 + 98 * 5)));
    }
}
