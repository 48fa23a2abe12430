//! The bytes of a space that buffers can use at a position: the largest sum of some of them that fits.
//!
//! Three buffers of 16 KiB use 16 KiB of a space of 30 KiB, not 30: one fits, two do not. With that in place of the size of the
//! space, prices give a much better bound where few large buffers are alive.

use crate::problem::Problem;
use std::collections::BTreeMap;

/// The rules that a part of all plans keeps: whether a buffer is in a space during a layer; buffer, layer and space by index.
pub type Rule<'r> = &'r dyn Fn(usize, usize, usize) -> Option<bool>;

/// Largest number of different sums at a position; beyond that, the size of the space is taken.
const MOST_SUMS: usize = 2048;

/// Largest number of sums at all positions together; beyond that, the size of the space is taken.
const MOST_WORK: usize = 1 << 24;

/// How many of each size there are.
type Sizes = BTreeMap<u64, u64>;

/// A buffer or fixed bytes come or go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    at: u32,
    comes: bool,
    /// Whether it must be there, or may be.
    is_fixed: bool,
    bytes: u64,
}

/// For each limited space, the bytes that can be used at each position, with fixed ones.
pub fn usable(problem: &Problem, rule: Rule<'_>) -> Vec<Vec<u64>> {
    let mut work = MOST_WORK;
    let spaces = problem.spaces.iter().enumerate();
    let all = spaces.map(|(space, one)| match one.capacity {
        Some(capacity) => {
            let changes = changes(problem, space, rule);
            usable_at_each(&changes, problem.positions, capacity, &mut work)
        }
        None => Vec::new(),
    });
    all.collect()
}

/// What comes and goes in a space, ascending.
fn changes(problem: &Problem, space: usize, rule: Rule<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |range: (u32, u32), is_fixed: bool, bytes: u64| {
        if range.0 < range.1 && bytes > 0 {
            let change = |at: u32, comes: bool| Change {
                at,
                comes,
                is_fixed,
                bytes,
            };
            changes.extend([change(range.0, true), change(range.1, false)]);
        }
    };
    for one in problem.fixed.iter().filter(|one| one.space == space) {
        add(one.range, true, one.bytes);
    }
    for (index, buffer) in problem.buffers.iter().enumerate() {
        for layer in 0..buffer.layers() {
            let is_accepted = layer % 2 == 0 || buffer.gaps[layer / 2].spaces.has(space);
            let is_there = rule(index, layer, space);
            if is_there.unwrap_or(is_accepted) {
                for range in buffer.ranges(layer) {
                    add(*range, is_there.is_some(), buffer.size);
                }
            }
        }
    }
    changes.sort_unstable();
    changes
}

fn usable_at_each(changes: &[Change], positions: u32, capacity: u64, work: &mut usize) -> Vec<u64> {
    let (mut fixed, mut open, mut sizes) = (0_u128, 0_u128, Sizes::new());
    let (mut usable, mut bytes) = (Vec::with_capacity(positions as usize), capacity);
    let mut changes = changes.iter().peekable();
    for at in 0..positions {
        let mut is_changed = false;
        while let Some(change) = changes.next_if(|change| change.at == at) {
            is_changed = true;
            let total = if change.is_fixed {
                &mut fixed
            } else {
                &mut open
            };
            match change.comes {
                true => *total += u128::from(change.bytes),
                false => *total -= u128::from(change.bytes),
            }
            if !change.is_fixed {
                count(&mut sizes, change);
            }
        }
        if is_changed {
            // A limit that never binds needs no sums.
            bytes = match fixed + open <= u128::from(capacity) {
                true => capacity,
                false => {
                    let must = u64::try_from(fixed).map_or(capacity, |fixed| fixed.min(capacity));
                    must + largest_sum(&sizes, capacity - must, work)
                }
            };
        }
        usable.push(bytes);
    }
    usable
}

fn count(sizes: &mut Sizes, change: &Change) {
    let count = sizes.entry(change.bytes).or_default();
    if change.comes {
        *count += 1;
    } else {
        *count -= 1;
        if *count == 0 {
            sizes.remove(&change.bytes);
        }
    }
}

/// The largest sum of some sizes up to a limit; with too many sums, something above it up to the limit.
fn largest_sum(sizes: &Sizes, limit: u64, work: &mut usize) -> u64 {
    let fitting = || sizes.range(..=limit).rev();
    let divisor = fitting().fold(0, |all, (size, _)| gcd(all, *size));
    if divisor == 0 {
        return 0;
    }
    let limit = limit - limit % divisor;
    let mut sums = vec![0_u64];
    for (size, count) in fitting() {
        // Parts of 1, 2, 4, and so on give each number of them.
        let (mut left, mut part) = ((*count).min(limit / size), 1);
        while left > 0 {
            let taken = part.min(left);
            (left, part) = (left - taken, 2 * part);
            sums = with_more(&sums, size * taken, limit);
            *work = work.saturating_sub(sums.len());
            if sums.last() == Some(&limit) || sums.len() > MOST_SUMS || *work == 0 {
                return limit;
            }
        }
    }
    sums.last().copied().unwrap_or(0)
}

/// Ascending sums, and the same with more, up to a limit.
fn with_more(sums: &[u64], more: u64, limit: u64) -> Vec<u64> {
    let all = sums.iter().map_while(|sum| sum.checked_add(more));
    let mut others = all.take_while(|sum| *sum <= limit).peekable();
    let mut next = Vec::with_capacity(2 * sums.len());
    for sum in sums {
        while let Some(other) = others.next_if(|other| other < sum) {
            next.push(other);
        }
        others.next_if_eq(sum);
        next.push(*sum);
    }
    next.extend(others);
    next
}

const fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Buffer, Space, SpaceSet, Touch};
    use smallvec::smallvec;

    fn sum(sizes: &[u64], limit: u64) -> u64 {
        let mut counted = Sizes::new();
        for size in sizes {
            *counted.entry(*size).or_default() += 1;
        }
        largest_sum(&counted, limit, &mut 1_000_000)
    }

    #[test]
    fn sums_are_those_that_fit() {
        assert_eq!(sum(&[16, 16, 16], 30), 16);
        assert_eq!(sum(&[16, 16, 16], 32), 32);
        assert_eq!(sum(&[16, 9, 4, 40], 30), 29);
        assert_eq!(sum(&[10, 10, 10, 10, 10, 7, 7], 59), 57);
        assert_eq!(sum(&[], 30), 0);
        assert_eq!(sum(&[31], 30), 0);
        assert_eq!(sum(&[31], 0), 0);
        assert_eq!(sum(&[u64::MAX, u64::MAX - 1], u64::MAX - 1), u64::MAX - 1);
    }

    #[test]
    fn too_many_sums_are_not_too_few_bytes() {
        let sizes: Vec<u64> = (0..40).map(|bit| (1 << bit) + 1).collect();
        assert!(sum(&sizes, 1 << 39) >= (1 << 39) - 40);
    }

    #[test]
    fn all_sizes_count() {
        let touch = |bytes: u64| Buffer {
            size: bytes,
            copied: bytes,
            touches: vec![Touch {
                ranges: smallvec![(0, 1)],
                reads: 1,
                writes: 0,
                spaces: SpaceSet::first(2),
            }],
            gaps: Vec::new(),
        };
        let space = |capacity: Option<u64>| Space {
            capacity,
            read: 1,
            write: 1,
        };
        let mut sizes = vec![16; 3000];
        sizes.push(14);
        let problem = Problem {
            spaces: vec![space(Some(30)), space(None)],
            positions: 1,
            buffers: sizes.into_iter().map(touch).collect(),
            fixed: Vec::new(),
        };
        let none = |_: usize, _: usize, _: usize| None;
        assert_eq!(usable(&problem, &none)[0], [30]);
    }
}
