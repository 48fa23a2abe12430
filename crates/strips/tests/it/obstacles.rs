//! Why the peak of a block stays.

use crate::generate::{Choice, Kind, program};
use memplan_strips::{
    program::{NodeId, Program},
    refusal::Refusal,
    search::{Limits, Obstacle, Search},
};

const ROWS: i64 = 40;

/// An operation on each element of an argument, and one that needs `size` rows of the result for one of its own. The
/// operation between initializes its sums.
fn two(size: i64) -> Program {
    let map = Kind::Map { second: None };
    let convolve = Kind::Convolve {
        size,
        stride: 1,
        dilation: 1,
    };
    let all = [map, convolve].map(|kind| Choice { kind, from: 0 });
    program(&all, ROWS)
}

/// What reads the result of the first operation.
const READER: usize = 2;

/// The chains of a program, and what keeps its peak.
fn searched(program: &Program, limits: Limits) -> (usize, Option<Obstacle>) {
    let mut search = Search::new(program, limits);
    let found = search.run(u64::MAX);
    (found.chains.len(), search.obstacle(&found))
}

/// Lets the last operation read its operand from the last to the first index of a dimension.
fn reverse(program: &mut Program, dimension: usize) {
    let node = &mut program.nodes[READER];
    let size = program.buffers[node.accesses[0].buffer.index()].shape[dimension];
    let index = &mut node.accesses[0].indices[dimension];
    for (_, coefficient) in &mut index.terms {
        *coefficient = -*coefficient;
    }
    index.constant = size - 1;
}

#[test]
fn a_peak_in_a_chain_has_none() {
    assert_eq!(searched(&two(3), Limits::default()), (1, None));
}

#[test]
fn the_buffer_that_stays_whole_is_found() {
    let mut program = two(3);
    // Sums still run along channels.
    reverse(&mut program, 1);
    assert_eq!(searched(&program, Limits::default()), (1, None));
    reverse(&mut program, 0);
    let (chains, obstacle) = searched(&program, Limits::default());
    let obstacle = obstacle.unwrap();
    assert_eq!((chains, obstacle.node), (0, NodeId::new(0)));
    let buffer = program.nodes[READER].accesses[0].buffer;
    assert_eq!(obstacle.bytes, program.buffer(buffer).bytes());
    let kept = obstacle.kept.unwrap();
    assert_eq!(kept.buffer, buffer);
    assert_eq!(kept.refusals[..], [Refusal::Apart, Refusal::Backwards]);
}

#[test]
fn operations_that_are_far_apart_are_no_chain() {
    let limits = Limits {
        nodes: READER,
        ..Limits::default()
    };
    let (chains, obstacle) = searched(&two(3), limits);
    let kept = obstacle.unwrap().kept.unwrap();
    assert_eq!((chains, &kept.refusals[..]), (0, &[Refusal::Long][..]));
}

#[test]
fn strips_that_copy_too_much_are_no_chain() {
    let mut program = two(5);
    reverse(&mut program, 0);
    assert_eq!(searched(&program, Limits::default()), (1, None));
    let limits = Limits {
        copied_percent: 0,
        ..Limits::default()
    };
    let (chains, obstacle) = searched(&program, limits);
    let kept = obstacle.unwrap().kept.unwrap();
    assert_eq!(chains, 0);
    assert!(kept.refusals.contains(&Refusal::Copies), "{kept:?}");
}
