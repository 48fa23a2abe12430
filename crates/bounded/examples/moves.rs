//! Compares the moves of the compaction heuristics with the optimum: `cargo run --release --example moves -- [N]`.
//!
//! For N random stacks of a few values with holes between them: the bytes moved for a request of all free bytes, or of
//! half of them, and the minimum, which a search over all layouts finds.

use memplan_bounded::{Motion, ValueId, compact::make_room, space::PlacedValue};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

/// A pseudo-random generator with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }
}

/// The fewest bytes moved until `need` contiguous bytes are free, one value at a time.
fn least(sizes: &[u64], start: &[u64], limit: u64, need: u64) -> Option<u64> {
    let is_free = |offsets: &[u64], from: u64, size: u64, but: Option<usize>| {
        from + size <= limit
            && (0..sizes.len()).all(|at| {
                Some(at) == but || offsets[at] + sizes[at] <= from || from + size <= offsets[at]
            })
    };
    let mut seen = BTreeSet::new();
    let mut open = BinaryHeap::from([Reverse((0, start.to_vec()))]);
    while let Some(Reverse((cost, offsets))) = open.pop() {
        if !seen.insert(offsets.clone()) {
            continue;
        }
        if (0..limit).any(|from| is_free(&offsets, from, need, None)) {
            return Some(cost);
        }
        for at in 0..sizes.len() {
            for to in 0..limit {
                if to != offsets[at] && is_free(&offsets, to, sizes[at], Some(at)) {
                    let mut next = offsets.clone();
                    next[at] = to;
                    open.push(Reverse((cost + sizes[at], next)));
                }
            }
        }
    }
    None
}

fn main() {
    let wanted = std::env::args().nth(1);
    let count: u64 = wanted.map_or(1000, |count| count.parse().expect("a number"));
    for part in [1, 2] {
        let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
        let (mut needy, mut best, mut moved, mut least_moved) = (0, 0, 0, 0);
        for _ in 0..count {
            let (mut sizes, mut offsets, mut top, mut free) = (Vec::new(), Vec::new(), 0, 0);
            for _ in 0..2 + numbers.below(4) {
                let (hole, size) = (numbers.below(3), 1 + numbers.below(4));
                sizes.push(size);
                offsets.push(top + hole);
                free += hole;
                top += hole + size;
            }
            let hole = numbers.below(3);
            let (limit, free) = (top + hole, free + hole);
            let need = free.div_ceil(part);
            if need == 0 {
                continue;
            }
            let placed: Vec<PlacedValue> = (0..sizes.len())
                .map(|at| PlacedValue {
                    offset: offsets[at],
                    size: sizes[at],
                    value: ValueId::new(at),
                })
                .collect();
            let (motions, _) = make_room(&|_| false, &placed, limit, need).expect("room enough");
            let bytes = motions.iter().map(|motion| match motion {
                Motion::Move { value, .. } => sizes[value.index()],
                Motion::Swap { below, above, .. } => sizes[below.index()] + sizes[above.index()],
            });
            let bytes: u64 = bytes.sum();
            let fewest = least(&sizes, &offsets, limit, need).expect("room enough");
            assert!(fewest <= bytes);
            if bytes > 0 {
                needy += 1;
                best += u64::from(bytes == fewest);
                moved += bytes;
                least_moved += fewest;
            }
        }
        println!(
            "a request of 1/{part} of what is free: {needy} of {count} stacks need moves, {best} get the least; \
             {moved} bytes moved, the least {least_moved}"
        );
    }
}
