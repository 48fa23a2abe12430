//! Executes strips row by row: each row is made once, is held when it is read, and no row is missing.

use crate::generate::{choices, program};
use memplan_strips::{
    amounts::Amounts,
    chain::{Spread, Window},
    frontiers::Frontiers,
    program::{BufferId, Node, NodeId, Program, Role},
    search::{Limits, Search},
};
use proptest::prelude::*;
use std::{collections::BTreeMap, ops::Range};

/// The rows of a buffer that iterations touch.
fn touched(window: &Window, iterations: Range<i64>) -> Vec<i64> {
    let map = window.map;
    if map.is_grouped() {
        let [from, to] = [iterations.start, iterations.end].map(|at| at * map.rows);
        assert!(from % map.per == 0 && to % map.per == 0, "groups are whole");
        return (from / map.per..to / map.per).collect();
    }
    let rows = iterations.flat_map(|iteration| {
        let first = window.coefficient * iteration;
        (0..=window.high).map(move |row| map.offset + map.stride * (first + row))
    });
    rows.collect()
}

/// What executes a chain: how often each row of each split buffer was written, and that for each row that was read.
struct Execution<'p> {
    program: &'p Program,
    spread: &'p Spread,
    written: Vec<Vec<u32>>,
    seen: BTreeMap<(usize, usize, i64), u32>,
}

impl<'p> Execution<'p> {
    fn new(program: &'p Program, spread: &'p Spread) -> Self {
        let rows = spread.buffers.iter().map(|split| {
            let rows = program.buffer(split.buffer).shape[split.dimension as usize];
            vec![0; usize::try_from(rows).unwrap()]
        });
        Self {
            program,
            spread,
            written: rows.collect(),
            seen: BTreeMap::new(),
        }
    }

    /// Executes iterations of a link; `is_held` says whether a row of a buffer is in memory.
    fn run(&mut self, at: usize, iterations: Range<i64>, is_held: impl Fn(usize, i64) -> bool) {
        let link = &self.spread.links[at];
        let node = self.program.node(link.node);
        for reads in [true, false] {
            for (number, (access, window)) in node.accesses.iter().zip(&link.windows).enumerate() {
                let (Some(window), Some(place)) = (window, self.spread.place(access.buffer)) else {
                    continue;
                };
                for row in touched(window, iterations.clone()) {
                    assert!(is_held(place, row), "row {row} is not held");
                    let times = &mut self.written[place][usize::try_from(row).unwrap()];
                    if reads && access.reads {
                        let before = self.seen.insert((at, number, row), *times);
                        assert!(
                            before.is_none_or(|before| before == *times),
                            "each time the same"
                        );
                    } else if !reads && access.writes {
                        *times += 1;
                    }
                }
            }
        }
    }
}

/// Executes the strips of a chain, and the chain without strips.
fn check(program: &Program, spread: &Spread, frontiers: &Frontiers) {
    let mut whole = Execution::new(program, spread);
    for (at, link) in spread.links.iter().enumerate() {
        let extent = program.node(link.node).loops[link.split as usize].extent;
        whole.run(at, 0..extent, |_, _| true);
    }
    let mut strips = Execution::new(program, spread);
    let mut executed = vec![0_i64; spread.links.len()];
    let mut runs = vec![0_i64; spread.links.len()];
    let mut executions = 0;
    for strip in frontiers.first..frontiers.end {
        let is_held = |place: usize, row: i64| {
            let front = &frontiers.buffers[place];
            let held = front.made.rate * strip + front.kept;
            spread.buffers[place].role != Role::Between
                || (held..held + front.rows()).contains(&row)
        };
        for (place, front) in frontiers.buffers.iter().enumerate() {
            if spread.buffers[place].role == Role::Between && !front.is_carried() {
                // Its memory is new.
                strips.written[place].fill(0);
            }
        }
        for (at, (front, executed)) in frontiers.nodes.iter().zip(&mut executed).enumerate() {
            let (from, to) = (front.start(strip), front.done(strip));
            let is_next = match front.again {
                0 => *executed == from,
                _ => *executed <= to,
            };
            assert!(is_next, "iterations follow each other");
            *executed = to;
            runs[at] += to - from;
            assert!(
                !front.is_full || to - from == front.rows(),
                "all strips have as many rows"
            );
            executions += u64::from(from < to);
            strips.run(at, from..to, is_held);
        }
    }
    let amounts = Amounts::of(program, &[(spread, frontiers)]);
    assert_eq!(amounts.executions, executions);
    for (front, runs) in frontiers.nodes.iter().zip(runs) {
        assert_eq!(front.executed(frontiers.first, frontiers.end), runs);
    }
    for (read, times) in &strips.seen {
        assert_eq!(
            whole.seen.get(read),
            Some(times),
            "the contents that are read"
        );
    }
    for (at, link) in spread.links.iter().enumerate() {
        let node = program.node(link.node);
        let extent = node.loops[link.split as usize].extent;
        assert!(executed[at] <= extent, "no more iterations than there are");
        let writes = node.accesses.iter().any(|access| access.writes);
        if !writes
            || spread
                .buffers
                .iter()
                .all(|split| split.role != Role::Between)
        {
            assert_eq!(executed[at], extent, "all iterations");
        }
    }
    for (place, split) in spread.buffers.iter().enumerate() {
        if split.role != Role::Between {
            assert_eq!(
                strips.written[place], whole.written[place],
                "all rows of results"
            );
        }
    }
}

proptest! {
    #[test]
    fn each_row_is_made_before_it_is_read_and_held_until_then(
        choices in choices(),
        rows in 2..20_i64,
        height in 1..5_i64,
        phase in 0..3_i64,
        again in 0..u16::MAX,
    ) {
        let program = program(&choices, rows);
        let count = program.nodes.len();
        for from in 0..count {
            for to in from + 1..=count {
                for split in 0..2 {
                    let seed = NodeId::new(to - 1);
                    let Ok(spread) = Spread::of(&program, from..to, seed, split) else {
                        continue;
                    };
                    if let Ok(frontiers) = Frontiers::of(&spread, height, phase) {
                        check(&program, &spread, &frontiers);
                        let again: Vec<BufferId> = spread
                            .buffers
                            .iter()
                            .enumerate()
                            .filter(|(place, _)| again >> (place % 16) & 1 == 1)
                            .map(|(_, split)| split.buffer)
                            .collect();
                        let repeating = Frontiers::with_again(&spread, height, phase, &again);
                        if let Ok(frontiers) = repeating {
                            check(&program, &spread, &frontiers);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_search_finds_what_holds_no_more(
        choices in choices(),
        rows in 2..40_i64,
        repeated_percent in prop_oneof![Just(0_u64), 1..100_u64],
    ) {
        let program = program(&choices, rows);
        let mut without = Search::new(&program, Limits::default());
        let least = without.run(u64::MAX).peak;
        let mut search = Search::new(&program, Limits { repeated_percent, ..Limits::default() });
        let found = search.run(u64::MAX);
        prop_assert!(least <= search.unsplit() && found.peak <= least);
        let iterations = |node: &Node| node.loops.iter().map(|one| one.extent).product::<i64>();
        let all: i64 = program.nodes.iter().map(iterations).sum();
        let repeated: u64 = found.chains.iter().map(|chain| chain.repeated).sum();
        prop_assert!(u128::from(repeated) * 100 <= u128::from(repeated_percent) * all as u128);
        let mut end = 0;
        for chain in &found.chains {
            prop_assert!(chain.nodes.start >= end && chain.nodes.end > chain.nodes.start);
            prop_assert!(chain.bytes <= found.peak);
            end = chain.nodes.end;
            for split in &chain.splits {
                let spread = Spread::of(&program, chain.nodes.clone(), chain.seed, split.number).unwrap();
                check(&program, &spread, &split.frontiers(&spread).unwrap());
            }
        }
    }
}
