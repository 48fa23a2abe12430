//! Which heights and widths of strips are tried.

use crate::{frontiers::ceiling, program::Node};
use rustc_hash::FxHashSet;

/// Elements that are beside each other and that a strip has at least: those of a vector.
const BESIDE: i64 = 16;

/// Whether iterations of a loop write elements that are beside each other.
pub fn is_innermost(node: &Node, number: u32) -> bool {
    let mut writes = node.accesses.iter().filter(|access| access.writes);
    writes.any(|access| match &access.indices[..] {
        [_, .., last] => last.coefficient(number) != 0,
        _ => false,
    })
}

/// Heights of strips of so many rows, lowest first. If rows are beside each other, strips are as wide as vectors.
pub fn heights(rows: i64, are_beside: bool) -> Vec<i64> {
    let mut all: Vec<i64> = vec![1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
    all.extend(divisors(rows));
    all.sort_unstable();
    all.dedup();
    all.retain(|height| *height <= rows / 2 && (!are_beside || height % BESIDE == 0));
    if all.len() > 8 {
        all.retain(|height| matches!(height, 1 | 2 | 4 | 8) || (rows % height == 0 && *height > 4));
    }
    if all.len() > 10 {
        let few = all.iter().enumerate();
        let few = few.filter(|(at, _)| *at < 4 || at % 2 == 0);
        all = few.map(|(_, height)| *height).collect();
    }
    all
}

/// Divisors of a number, in pairs.
pub fn divisors(number: i64) -> impl Iterator<Item = i64> {
    let low = 1..=number.isqrt().min(MOST_DIVISORS);
    let low = low.filter(move |one| number % one == 0);
    low.flat_map(move |one| [one, number / one])
}

/// Largest number that is tried as a divisor.
const MOST_DIVISORS: i64 = 1 << 16;

/// Numbers of strips of an outer dimension.
const COUNTS: [i64; 14] = [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28];

/// Most widths that are tried.
const WIDTHS: usize = 5;

/// Widths and phases of strips of so many columns, narrowest first. `fill` strips of one column only fill borders; with as
/// large a phase, none does.
pub fn widths(columns: i64, fill: i64, most: i64) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64, i64)> = Vec::new();
    let phases: FxHashSet<i64> = [0, fill].into_iter().collect();
    for phase in phases {
        for count in COUNTS {
            let width = ceiling(columns + phase, count);
            let filling = if phase == 0 { ceiling(fill, width) } else { 0 };
            let strips = ceiling(columns + phase, width) + filling;
            if strips <= most && width < columns && phase <= width {
                all.push((width, strips, phase));
            }
        }
    }
    all.sort_unstable();
    // Wider ones only where they take fewer strips.
    let mut fewest = i64::MAX;
    all.retain(|(_, strips, _)| {
        let is_fewer = *strips < fewest;
        fewest = fewest.min(*strips);
        is_fewer
    });
    let count = all.len();
    let kept = |at: usize| {
        count <= WIDTHS || (0..WIDTHS).any(|one| one * (count - 1) / (WIDTHS - 1) == at)
    };
    let kept = all.into_iter().enumerate().filter(|(at, _)| kept(*at));
    kept.map(|(_, (width, _, phase))| (width, phase)).collect()
}
