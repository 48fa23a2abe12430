//! The bytes of a space that buffers can use at a position: the largest sum of some of them that fits.
//!
//! Three buffers of 16 KiB use 16 KiB of a space of 30 KiB, not 30: one fits, two do not. With that in place of the size of the
//! space, prices give a much better bound where few large buffers are alive.

use crate::problem::Problem;

/// The rules that a part of all plans keeps: whether a buffer is in a space during a layer; buffer, layer and space by index.
pub type Rule<'r> = &'r dyn Fn(usize, usize, usize) -> Option<bool>;

/// Largest number of different sums at a position; beyond that, the size of the space is taken.
const MOST_SUMS: usize = 2048;

/// For each limited space, the bytes that can be used at each position, with fixed ones.
pub fn usable(problem: &Problem, rule: Rule<'_>) -> Vec<Vec<u64>> {
    let positions = problem.positions as usize;
    let spaces = problem.spaces.iter().enumerate();
    let all = spaces.map(|(space, one)| {
        let Some(capacity) = one.capacity else {
            return Vec::new();
        };
        let mut fixed = vec![0_u64; positions];
        for one in problem.fixed.iter().filter(|one| one.space == space) {
            for at in one.range.0..one.range.1 {
                fixed[at as usize] = fixed[at as usize].saturating_add(one.bytes);
            }
        }
        // Sizes that may be there, and bytes that must be.
        let mut sizes: Vec<Vec<u64>> = vec![Vec::new(); positions];
        let mut most = fixed.clone();
        for (index, buffer) in problem.buffers.iter().enumerate() {
            for layer in 0..buffer.layers() {
                let accepted = match layer % 2 {
                    0 => buffer.touches[layer / 2].spaces,
                    _ => buffer.gaps[layer / 2].spaces,
                };
                let decided = rule(index, layer, space);
                if decided == Some(false)
                    || (decided.is_none() && layer % 2 == 1 && !accepted.has(space))
                {
                    continue;
                }
                for at in buffer
                    .ranges(layer)
                    .iter()
                    .flat_map(|range| range.0..range.1)
                {
                    let at = at as usize;
                    most[at] = most[at].saturating_add(buffer.size);
                    match decided {
                        Some(_) => fixed[at] = fixed[at].saturating_add(buffer.size),
                        None if sizes[at].len() < MOST_SUMS => sizes[at].push(buffer.size),
                        None => {}
                    }
                }
            }
        }
        let usable = (0..positions).map(|at| match most[at] <= capacity {
            // It never binds.
            true => capacity,
            false => {
                let left = capacity.saturating_sub(fixed[at]);
                let sum = largest_sum(&mut sizes[at], left);
                fixed[at].saturating_add(sum).min(capacity)
            }
        });
        usable.collect()
    });
    all.collect()
}

/// The largest sum of some sizes up to a limit, or the limit if there are too many sums.
fn largest_sum(sizes: &mut [u64], limit: u64) -> u64 {
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let mut sums = vec![0_u64];
    for size in sizes.iter().filter(|size| **size > 0 && **size <= limit) {
        let more = sums.iter().map(|sum| sum + size);
        let mut next: Vec<u64> = more.filter(|sum| *sum <= limit).collect();
        next.extend(&sums);
        next.sort_unstable();
        next.dedup();
        if next.len() > MOST_SUMS || next.last() == Some(&limit) {
            return limit;
        }
        sums = next;
    }
    sums.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::largest_sum;

    #[test]
    fn sums_are_those_that_fit() {
        assert_eq!(largest_sum(&mut [16, 16, 16], 30), 16);
        assert_eq!(largest_sum(&mut [16, 16, 16], 32), 32);
        assert_eq!(largest_sum(&mut [16, 9, 4, 40], 30), 29);
        assert_eq!(largest_sum(&mut [], 30), 0);
        assert_eq!(largest_sum(&mut [31], 30), 0);
    }
}
