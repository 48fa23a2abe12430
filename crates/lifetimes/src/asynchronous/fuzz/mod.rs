//! Random programs, run step by step: whatever still goes on at a point must be known to be pending there.

mod execute;
mod write;

use super::{Facts, HandleId, solve::Solver};
use crate::{
    live::contains,
    program::{BlockId, NodeId, Position, Program},
};
use execute::Run;
use rustc_hash::FxHashMap;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What is executed, in a block.
#[derive(Clone, Copy, Debug)]
enum Step {
    Act(usize),
    NewGroup(HandleId, Position),
    Node(NodeId),
}

#[derive(Debug, Default)]
struct Case {
    program: Program,
    facts: Facts,
    steps: FxHashMap<BlockId, Vec<Step>>,
    arguments: FxHashMap<BlockId, Vec<HandleId>>,
    results: FxHashMap<NodeId, HandleId>,
    tags: Vec<HandleId>,
    copies: bool,
}

#[test]
fn whatever_still_goes_on_is_pending() {
    let (mut bounded, mut held, mut short) = (0, 0, 0);
    for seed in 1..=2000 {
        let case = Case::new(seed);
        let found = Solver::new(&case.program, &case.facts).solve();
        for path in 0..30 {
            let run = Run::new(&case, Random(seed * 1000 + path + 1));
            for (position, start) in run.seen {
                let ranges = &found[start.0 as usize];
                assert!(
                    ranges
                        .as_ref()
                        .is_none_or(|ranges| contains(ranges, position)),
                    "seed {seed}: {start:?} goes on at {position}, not in {ranges:?}\n{case:#?}"
                );
            }
            for start in run.left {
                assert!(
                    found[start.0 as usize].is_none(),
                    "seed {seed}: {start:?} goes on when all is left\n{case:#?}"
                );
            }
        }
        for (ranges, start) in found.iter().zip(&case.facts.starts) {
            match ranges {
                None => held += 1,
                Some(ranges) => {
                    bounded += 1;
                    let last = ranges.last().map_or(0, |range| range.1);
                    short += usize::from(last > start.span.0 + 1);
                }
            }
        }
    }
    println!("{bounded} end, {short} of them later than at once; {held} never do");
    assert!(short > 500 && held > 500);
}
