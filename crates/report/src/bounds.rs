//! Lower bounds beside the load, computed from the blocks alone.

use std::collections::BTreeMap;

use crate::load::Block;

/// Where the largest block ends at the least, in bytes.
pub fn by_end(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| block.size).max().unwrap_or(0)
}

/// The largest bound in bytes that alignment forces.
///
/// Take the blocks live at one position with at least some alignment. All their offsets are
/// multiples of it, so each but the topmost takes its size rounded up to it: the sum of the rounded
/// sizes, less the most that rounding added to one of them, is needed.
pub fn by_alignment(blocks: &[Block]) -> u64 {
    let mut alignments: Vec<u64> = blocks.iter().map(|block| block.alignment).collect();
    alignments.sort_unstable();
    alignments.dedup();
    let bounds = alignments.into_iter().map(|to| aligned_to(blocks, to));
    u64::try_from(bounds.max().unwrap_or(0)).unwrap_or(u64::MAX)
}

/// The bound from the blocks that are aligned to `to` at least; a power of two.
fn aligned_to(blocks: &[Block], to: u64) -> u128 {
    let mut events: Vec<(u64, bool, u64)> = Vec::new();
    for block in blocks.iter().filter(|block| block.alignment >= to) {
        for &(start, end) in &block.live {
            events.push((start, true, block.size));
            events.push((end, false, block.size));
        }
    }
    // Ends come before beginnings at the same position: ranges are half-open.
    events.sort_unstable();
    let mut sum = 0;
    let mut added: BTreeMap<u128, usize> = BTreeMap::new(); // what rounding adds -> live blocks
    let mut best = 0;
    for (_, begins, size) in events {
        let rounded = u128::from(size).next_multiple_of(u128::from(to));
        let count = added.entry(rounded - u128::from(size)).or_default();
        if begins {
            sum += rounded;
            *count += 1;
            let most = added.last_key_value().map_or(0, |(&most, _)| most);
            best = best.max(sum - most);
        } else {
            sum -= rounded;
            *count -= 1;
            if *count == 0 {
                added.remove(&(rounded - u128::from(size)));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: u64, alignment: u64, live: (u64, u64)) -> Block {
        Block {
            members: Vec::new(),
            offset: 0,
            size,
            alignment,
            live: vec![live],
            windows: Vec::new(),
        }
    }

    #[test]
    fn all_but_one_of_the_aligned_blocks_are_rounded_up() {
        let blocks = [
            block(1, 64, (0, 1)),
            block(10, 64, (0, 1)),
            block(60, 64, (0, 1)),
            block(5, 1, (0, 1)),
            block(300, 256, (1, 2)),
        ];
        assert_eq!(by_alignment(&blocks[..4]), 64 * 2 + 1);
        assert_eq!(by_alignment(&blocks), 300);
        assert_eq!(by_end(&blocks), 300);
    }

    #[test]
    fn nothing_needs_nothing() {
        assert_eq!((by_alignment(&[]), by_end(&[])), (0, 0));
    }
}
