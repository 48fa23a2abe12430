//! From interference to times: sets of buffers that interfere pairwise.
//!
//! A planner's buffers interfere if they are live at a common time. Barrier intervals are such times, except where buffers
//! are on different edges of a uniform branch: these do not interfere, and one time would say that they do. Such an
//! interval becomes several times.

use crate::Interference;
use fixedbitset::FixedBitSet;

/// Sets of buffers that interfere pairwise. Each pair that interferes is in one of them, and so is each buffer that an
/// interval has.
///
/// Cubic in the number of buffers at worst, by words of 64: a kernel has few, as workgroup memory is small.
pub(crate) fn cover(
    interference: &Interference,
    intervals: &[FixedBitSet],
    sizes: &[u64],
) -> Vec<FixedBitSet> {
    let count = sizes.len();
    let rows = (0..count).map(|buffer| interference.row(buffer).clone());
    let mut cover = Cover {
        interference,
        sizes,
        uncovered: rows.collect(),
        has_time: FixedBitSet::with_capacity(count),
        times: Vec::new(),
    };
    for interval in intervals {
        cover.add(interval);
    }
    // Pairs that interfere in divergent control may be in no interval of one path.
    let mut all = FixedBitSet::with_capacity(count);
    for buffer in 0..count {
        if !interference.row(buffer).is_clear() {
            all.insert(buffer);
        }
    }
    cover.add(&all);
    cover.times
}

struct Cover<'i> {
    interference: &'i Interference,
    sizes: &'i [u64],
    /// Pairs that interfere and are in no set yet.
    uncovered: Vec<FixedBitSet>,
    has_time: FixedBitSet,
    times: Vec<FixedBitSet>,
}

impl Cover<'_> {
    fn add(&mut self, members: &FixedBitSet) {
        for one in members.ones() {
            while let Some(other) = self.uncovered[one].intersection(members).next() {
                let clique = self.grow(one, other, members);
                self.push(clique);
            }
            if !self.has_time.contains(one) {
                let mut alone = FixedBitSet::with_capacity(self.sizes.len());
                alone.insert(one);
                self.push(alone);
            }
        }
    }

    /// A set with two buffers that interfere, and as many others of `members` as possible, the largest first.
    fn grow(&self, one: usize, other: usize, members: &FixedBitSet) -> FixedBitSet {
        let mut clique = FixedBitSet::with_capacity(self.sizes.len());
        let mut candidates = members.clone();
        let mut next = Some(one);
        let mut after = Some(other);
        while let Some(buffer) = next {
            clique.insert(buffer);
            candidates.intersect_with(self.interference.row(buffer));
            let largest = candidates
                .ones()
                .max_by_key(|buffer| (self.sizes[*buffer], std::cmp::Reverse(*buffer)));
            next = after.take().or(largest);
        }
        clique
    }

    fn push(&mut self, clique: FixedBitSet) {
        for buffer in clique.ones() {
            self.uncovered[buffer].difference_with(&clique);
        }
        self.has_time.union_with(&clique);
        self.times.push(clique);
    }
}
