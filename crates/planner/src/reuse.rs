//! The reuse distance: how long bytes are idle before they are used again.
//!
//! When a live range starts, some of its bytes may have been used before, by an earlier live range
//! of this buffer or of another. Each of these bytes is *reused*. Its *distance* is the time from
//! the end of the latest such range to this start. Bytes that were never used before do not count,
//! and a byte that is reused twice counts twice. Live ranges of one buffer that touch are one
//! range. Times at which a buffer uses only some of its bytes do not count.
//!
//! A small mean distance means that bytes are reused while they are still in a cache.

use crate::{Problem, Solution};
use std::collections::BTreeMap;

/// The reuse distance of a plan, summed over bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reuse {
    /// The number of reused bytes.
    pub bytes: u128,
    /// The sum of their distances, in bytes times the problem's unit of time; saturates.
    pub total: u128,
}

impl Reuse {
    /// Computes the reuse distance of `solution`. The numbers mean nothing if it is not valid for
    /// `problem`. O(n log n) in the number of live ranges.
    pub fn of(problem: &Problem, solution: &Solution) -> Reuse {
        let mut ranges = Vec::new(); // start, end, first byte, one past the last
        for (buffer, &offset) in problem.buffers.iter().zip(&solution.offsets) {
            if buffer.size == 0 {
                continue;
            }
            let end = offset.saturating_add(buffer.size);
            for touching in buffer.live.chunk_by(|a, b| a.end == b.start) {
                ranges.push((
                    touching[0].start,
                    touching[touching.len() - 1].end,
                    offset,
                    end,
                ));
            }
        }
        ranges.sort_unstable();
        let mut reuse = Reuse::default();
        let mut used = LastUses::default();
        for (start, end, low, high) in ranges {
            used.replace(low, high, end, |bytes, ended| {
                let distance = u128::from(start.saturating_sub(ended));
                reuse.bytes = reuse.bytes.saturating_add(bytes.into());
                let sum = distance.saturating_mul(bytes.into());
                reuse.total = reuse.total.saturating_add(sum);
            });
        }
        reuse
    }

    /// The mean distance over the reused bytes, in the problem's unit of time; `None` if no byte is
    /// reused.
    pub fn mean(&self) -> Option<f64> {
        (self.bytes > 0).then(|| self.total as f64 / self.bytes as f64)
    }
}

/// The last use of each byte: disjoint intervals, keyed by their first byte.
#[derive(Default)]
pub(crate) struct LastUses(BTreeMap<u64, Interval>);

#[derive(Clone, Copy)]
struct Interval {
    /// One past the last byte.
    high: u64,
    /// The end of the last live range over these bytes.
    ended: u64,
}

impl LastUses {
    /// Records that the bytes from `low` to `high` are used until `ended`. Calls `seen` with the
    /// number of bytes and the end of each previous use.
    ///
    /// Each call adds at most two intervals and removes those that it visits: O(log n) amortized.
    pub fn replace(&mut self, low: u64, high: u64, ended: u64, mut seen: impl FnMut(u64, u64)) {
        let reaches = |(_, interval): &(&u64, &Interval)| interval.high > low;
        if let Some((&below, &interval)) = self.0.range(..low).next_back().filter(reaches) {
            self.0.insert(
                below,
                Interval {
                    high: low,
                    ..interval
                },
            );
            self.0.insert(low, interval);
        }
        while let Some((&start, &interval)) = self.0.range(low..high).next() {
            self.0.remove(&start);
            seen(interval.high.min(high) - start, interval.ended);
            if interval.high > high {
                self.0.insert(high, interval);
            }
        }
        self.0.insert(low, Interval { high, ended });
    }

    /// The last uses of the bytes from `low` to `high`: number of bytes, and end.
    pub fn within(&self, low: u64, high: u64) -> impl Iterator<Item = (u64, u64)> {
        let below = self.0.range(..low).next_back();
        below
            .into_iter()
            .filter(move |(_, interval)| interval.high > low)
            .chain(self.0.range(low..high))
            .map(move |(&start, interval)| {
                let bytes = interval.high.min(high) - start.max(low);
                (bytes, interval.ended)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    fn reuse(buffers: Vec<Buffer>, offsets: Vec<u64>) -> Reuse {
        let problem = Problem::new(buffers).expect("valid");
        let solution = Solution::new(&problem, offsets);
        Reuse::of(&problem, &solution)
    }

    #[test]
    fn the_latest_use_of_each_byte_counts() {
        let reuse = reuse(
            vec![
                Buffer::new(0, 10, [(0, 2)]),
                Buffer::new(1, 4, [(3, 5)]),
                Buffer::new(2, 12, [(6, 7)]),
            ],
            vec![0, 2, 0],
        );
        // Four bytes wait from 2 to 3, the same four from 5 to 6, six from 2 to 6; two are new.
        assert_eq!((reuse.bytes, reuse.total), (14, 4 + 4 + 6 * 4));
        assert_eq!(reuse.mean(), Some(32.0 / 14.0));
    }

    #[test]
    fn a_hole_is_a_wait_and_a_touch_is_none() {
        let touching = vec![Buffer::new(0, 8, [(0, 2), (2, 4), (7, 8)])];
        let reuse = reuse(touching, vec![16]);
        assert_eq!((reuse.bytes, reuse.total), (8, 24));
    }

    #[test]
    fn nothing_shared_has_no_mean() {
        let apart = vec![Buffer::new(0, 8, [(0, 2)]), Buffer::new(1, 0, [(3, 4)])];
        assert_eq!(reuse(apart, vec![0, 0]).mean(), None);
    }

    #[test]
    fn invalid_problems_do_not_panic() {
        let problem = Problem {
            buffers: vec![
                Buffer::new(0, u64::MAX, [(0, u64::MAX)]),
                Buffer::new(0, u64::MAX, [(9, 3)]),
            ],
            ..Problem::default()
        };
        Reuse::of(&problem, &Solution::new(&problem, vec![0, u64::MAX]));
    }
}
