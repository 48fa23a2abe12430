//! What a chain in strips holds, and what it copies.
//!
//! A chain may be split along several dimensions: loops over strips inside each other, the first one innermost. What is
//! kept between strips of the innermost dimension is in line buffers, which are as large as a strip of the outer
//! dimensions. What is kept between strips of an outer dimension is in a *border*, which has all rows of the inner ones.

use crate::{
    chain::Spread,
    frontiers::Frontiers,
    in_place::Pairs,
    program::{BufferId, Program, Role},
};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Bytes that each buffer is rounded to.
pub const ALIGNMENT: u64 = 64;

/// What a chain costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes that are held, besides what is live before or after the chain.
    pub bytes: u64,
    /// Those of them in line buffers and borders.
    pub kept: u64,
    /// Bytes that are copied between strips.
    pub copied: u64,
    /// Number of strips.
    pub strips: u64,
}

/// A chain along one or more dimensions, the innermost first.
pub struct Layout<'p> {
    program: &'p Program,
    pairs: &'p Pairs,
    splits: &'p [(&'p Spread, &'p Frontiers)],
    alignment: u64,
}

impl<'p> Layout<'p> {
    /// A chain. The spreads are of the same nodes and buffers.
    pub fn new(
        program: &'p Program,
        pairs: &'p Pairs,
        splits: &'p [(&'p Spread, &'p Frontiers)],
    ) -> Self {
        Self {
            program,
            pairs,
            splits,
            alignment: ALIGNMENT,
        }
    }

    /// The same, where no buffer is rounded.
    pub fn unaligned(self) -> Self {
        Self {
            alignment: 1,
            ..self
        }
    }

    fn inner(&self) -> &'p Spread {
        self.splits[0].0
    }

    /// Bytes of a split buffer, with so many rows in each split dimension.
    fn bytes(&self, place: usize, rows: impl Fn(usize) -> i64) -> u64 {
        let buffer = self.program.buffer(self.inner().buffers[place].buffer);
        let mut shape = buffer.shape.clone();
        for (at, (spread, _)) in self.splits.iter().enumerate() {
            shape[spread.buffers[place].dimension as usize] = rows(at);
        }
        let bytes = shape.iter().fold(buffer.element, |bytes, size| {
            bytes.saturating_mul((*size).max(0).unsigned_abs())
        });
        bytes.next_multiple_of(self.alignment)
    }

    /// Whether only the chain uses a buffer.
    pub fn is_between(&self, place: usize) -> bool {
        self.inner().buffers[place].role == Role::Between
    }

    /// Rows of a strip of a buffer in a dimension.
    fn strip(&self, place: usize, dimension: usize) -> i64 {
        self.splits[dimension].1.buffers[place].rows()
    }

    /// Bytes of a buffer in one strip.
    pub fn strip_bytes(&self, place: usize) -> u64 {
        self.bytes(place, |dimension| self.strip(place, dimension))
    }

    /// Whether a buffer keeps rows between strips of a dimension.
    pub fn is_carried(&self, place: usize, dimension: usize) -> bool {
        self.is_between(place) && self.splits[dimension].1.buffers[place].is_carried()
    }

    /// Bytes that a buffer keeps between strips of an outer dimension.
    pub fn border_bytes(&self, place: usize, outer: usize) -> u64 {
        self.bytes(place, |dimension| {
            let front = &self.splits[dimension].1.buffers[place];
            match dimension.cmp(&outer) {
                Ordering::Less => front.made.limit,
                Ordering::Equal => front.overlap(),
                Ordering::Greater => front.rows(),
            }
        })
    }

    /// The shape of what is copied at a time of the rows that strips of a dimension leave to the next.
    pub fn copied_shape(&self, place: usize, dimension: usize) -> SmallVec<[i64; 4]> {
        let buffer = self.program.buffer(self.inner().buffers[place].buffer);
        let mut shape = buffer.shape.clone();
        for (at, (spread, frontiers)) in self.splits.iter().enumerate() {
            let front = &frontiers.buffers[place];
            shape[spread.buffers[place].dimension as usize] = match at.cmp(&dimension) {
                Ordering::Less => front.made.rate,
                Ordering::Equal if dimension == 0 => front.made.rate.min(front.overlap()),
                Ordering::Equal => front.overlap(),
                Ordering::Greater => front.rows(),
            };
        }
        shape
    }

    /// What the chain costs.
    pub fn cost(&self) -> Cost {
        let places = 0..self.inner().buffers.len();
        let outer = 1..self.splits.len();
        let mut cost = Cost {
            bytes: self.whole_bytes() + self.peak_of_strips(),
            kept: 0,
            copied: 0,
            strips: 1,
        };
        let strips = |dimension: usize| self.splits[dimension].1.strips().max(0).unsigned_abs();
        for dimension in 0..self.splits.len() {
            cost.strips = cost.strips.saturating_mul(strips(dimension));
        }
        for place in places.filter(|place| self.is_between(*place)) {
            let kept = self.kept_bytes(place);
            cost.bytes += kept;
            cost.kept += kept;
            if self.is_carried(place, 0) {
                let front = &self.splits[0].1.buffers[place];
                let moved = self.strip_bytes(place) / front.rows().max(1).unsigned_abs()
                    * front.overlap().unsigned_abs();
                cost.copied = cost
                    .copied
                    .saturating_add(moved.saturating_mul(cost.strips));
            }
            for dimension in outer.clone() {
                if self.is_carried(place, dimension) {
                    let border = self.border_bytes(place, dimension);
                    // Each strip loads it, and stores it.
                    let copied = border.saturating_mul(2).saturating_mul(strips(dimension));
                    cost.copied = cost.copied.saturating_add(copied);
                }
            }
        }
        cost
    }

    /// Bytes of the line buffer and of the borders of a buffer.
    pub fn kept_bytes(&self, place: usize) -> u64 {
        let line = match self.is_carried(place, 0) {
            true => self.strip_bytes(place),
            false => 0,
        };
        let outer = (1..self.splits.len()).filter(|outer| self.is_carried(place, *outer));
        line + outer
            .map(|outer| self.border_bytes(place, outer))
            .sum::<u64>()
    }

    /// Bytes of buffers that only the chain uses, and that are not split.
    fn whole_bytes(&self) -> u64 {
        let bytes = |id: &BufferId| self.program.buffer(*id).bytes();
        let whole = self.inner().whole.iter().map(bytes);
        whole
            .map(|bytes| bytes.next_multiple_of(self.alignment))
            .sum()
    }

    /// The most bytes that buffers take which no strip leaves to the next, at one node of a strip.
    fn peak_of_strips(&self) -> u64 {
        let spread = self.inner();
        let is_strip = |place: usize| self.is_between(place) && !self.is_carried(place, 0);
        // First and last link that touch each, and its bytes; those that are one are at the first of them.
        let mut lives: Vec<Option<(usize, usize, u64)>> = vec![None; spread.buffers.len()];
        for (at, link) in spread.links.iter().enumerate() {
            for place in link.places.iter().flatten() {
                let place = *place as usize;
                if is_strip(place) {
                    let bytes = lives[place].map_or_else(|| self.strip_bytes(place), |live| live.2);
                    let first = lives[place].map_or(at, |live| live.0);
                    lives[place] = Some((first, at, bytes));
                }
            }
        }
        let mut is_in: Vec<usize> = (0..spread.buffers.len()).collect();
        for (at, link) in spread.links.iter().enumerate() {
            for (from, into) in self.pairs.at(link.node) {
                let (Some(from), Some(into)) = (spread.place(*from), spread.place(*into)) else {
                    continue;
                };
                let host = is_in[from];
                let (Some(one), Some(other)) = (lives[host], lives[into]) else {
                    continue;
                };
                if one.1 == at && other.0 == at && one.2 == other.2 && host != into {
                    lives[host] = Some((one.0, other.1, one.2));
                    lives[into] = None;
                    is_in[into] = host;
                    break;
                }
            }
        }
        let mut changes = vec![0_i128; spread.links.len() + 1];
        for (first, last, bytes) in lives.into_iter().flatten() {
            changes[first] += i128::from(bytes);
            changes[last + 1] -= i128::from(bytes);
        }
        let mut now = 0;
        let loads = changes.into_iter().map(|change| {
            now += change;
            now
        });
        u64::try_from(loads.max().unwrap_or(0)).unwrap_or(u64::MAX)
    }
}
