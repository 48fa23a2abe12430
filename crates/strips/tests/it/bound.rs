//! What no chains hold less than.

use crate::{
    generate::{self, Choice, Kind, choices},
    images::{self, Layer},
};
use memplan_strips::{
    program::{NodeId, Origin, Program, WholeUse},
    search::{Limits, Search},
};
use proptest::prelude::*;

/// The bound of a program, and the least that the search finds where copies have no limit.
fn both(program: &Program) -> [u64; 2] {
    let limits = Limits {
        copied_percent: u64::MAX,
        ..Limits::default()
    };
    let mut search = Search::new(program, limits);
    let bound = search.bound(u64::MAX);
    assert!(bound.is_exact);
    [bound.bytes, search.run(u64::MAX).peak]
}

/// A program whose strips need no rounding: each element takes so many bytes as buffers are aligned to.
fn aligned(mut program: Program) -> Program {
    for buffer in &mut program.buffers {
        buffer.element = 64;
    }
    program
}

fn layers(windows: &[i64]) -> Vec<Layer> {
    let layers = windows.iter().map(|window| Layer {
        window: *window,
        second: None,
    });
    layers.collect()
}

/// Lets a node touch its operands whole.
fn without_loops(program: &mut Program, number: usize) {
    let node = &mut program.nodes[number];
    node.loops.clear();
    let accesses = std::mem::take(&mut node.accesses);
    let whole = accesses.iter().map(|access| WholeUse {
        buffer: access.buffer,
        writes: access.writes,
    });
    node.whole = whole.collect();
}

#[test]
fn two_matmuls_need_a_row_or_a_column() {
    let program = images::matmuls([64, 8, 32, 4]);
    assert_eq!(both(&program), [32 * 4; 2]);
    let program = images::matmuls([16, 8, 32, 4]);
    assert_eq!(both(&program), [16 * 4; 2]);
    // One that needs no rounding, and one that is rounded.
    let program = images::matmuls([16, 8, 5, 4]);
    assert_eq!(both(&program), [5 * 4, 64]);
    assert_eq!(both(&aligned(program)), [5 * 64; 2]);
}

#[test]
fn a_window_of_three_rows() {
    let program = images::program(&layers(&[1, 3]), 2, [20, 3]);
    let elements = 3 * 2 * 3;
    assert_eq!(both(&program), [elements * 4, 128]);
    assert_eq!(both(&aligned(program)), [elements * 64; 2]);
}

#[test]
fn a_border() {
    let program = images::program(&layers(&[1, 3]), 1, [10, 10]);
    // A window, and two columns that later strips need.
    let elements = 3 * 3 + 2 * 10;
    assert_eq!(both(&program)[0], elements * 4);
    assert_eq!(both(&aligned(program)), [elements * 64; 2]);
}

#[test]
fn elements_beside_each_other_are_strips() {
    let map = Kind::Map { second: None };
    let convolve = Kind::Convolve {
        size: 3,
        stride: 1,
        dilation: 1,
    };
    let choices = [map, convolve].map(|kind| Choice { kind, from: 0 });
    let program = generate::program(&choices, 40);
    // The search takes 16 of them at least, and finds that a channel of 40 is less.
    assert_eq!(both(&program), [3 * 3 * 4, 192]);
}

#[test]
fn in_place_is_free() {
    let mut program = images::program(&layers(&[1, 1, 1]), 1, [8, 3]);
    program.buffers[3].origin = Origin::Outside;
    assert_eq!(both(&program), [3 * 4, 64]);
    assert_eq!(both(&aligned(program)), [3 * 64; 2]);
}

#[test]
fn limits_do_not_matter() {
    let program = images::program(&layers(&[1, 3, 1, 3]), 2, [20, 20]);
    let limits = Limits {
        nodes: 1,
        outer_strips: 1,
        copied_percent: 0,
        repeated_percent: 0,
        enough: u64::MAX,
        added_time: Some(0),
        by_traffic: false,
        steps: 0,
    };
    let bound = |limits| Search::new(&program, limits).bound(u64::MAX);
    assert_eq!(bound(limits), bound(Limits::default()));
    assert!(bound(limits).bytes < Search::new(&program, limits).unsplit());
}

#[test]
fn what_no_chain_has_counts_whole() {
    let mut program = images::program(&layers(&[1, 1, 1]), 2, [20, 20]);
    program.buffers[3].origin = Origin::Outside;
    without_loops(&mut program, 1);
    program.nodes[1].is_fence = true;
    let search = Search::new(&program, Limits::default());
    // Both of its buffers; the steps do not matter.
    let most = 2 * program.buffers[1].bytes();
    for steps in [0, u64::MAX] {
        assert_eq!(search.bound(steps).bytes, most);
    }
}

#[test]
fn nodes_before_the_strips_count() {
    let mut program = images::program(&layers(&[1, 1, 1, 1]), 1, [20, 20]);
    // The last two read the first image, too: they need nothing of the first two.
    let given = program.nodes[0].accesses[0].clone();
    program.nodes[2].accesses[0] = given;
    program.buffers[0].nodes.push(NodeId::new(2));
    program.buffers[2].nodes.pop();
    for result in [2, 4] {
        program.buffers[result].origin = Origin::Outside;
    }
    assert_eq!(both(&program)[0], 4);
    without_loops(&mut program, 0);
    let whole = program.buffers[1].bytes();
    assert_eq!(both(&program), [whole; 2]);
}

fn limits() -> impl Strategy<Value = Limits> {
    let steps = prop_oneof![1..5_000_u64, Just(u64::MAX)];
    let copied = prop_oneof![0..200_u64, Just(u64::MAX)];
    (1..40_usize, 1..40_i64, copied, steps).prop_map(
        |(nodes, outer_strips, copied_percent, steps)| Limits {
            nodes,
            outer_strips,
            copied_percent,
            repeated_percent: 0,
            enough: 0,
            added_time: None,
            by_traffic: false,
            steps,
        },
    )
}

/// Checks that the search finds nothing below the bound, and that fewer steps find no higher bound.
fn check(program: &Program, limits: Limits, steps: u64) -> Result<(), TestCaseError> {
    let mut search = Search::new(program, limits);
    let bound = search.bound(u64::MAX);
    prop_assert!(bound.is_exact);
    prop_assert!(bound.bytes <= search.unsplit());
    let early = search.bound(steps);
    prop_assert!(early.bytes <= bound.bytes);
    prop_assert!(!early.is_exact || early == bound);
    let peak = search.run(u64::MAX).peak;
    prop_assert!(bound.bytes <= peak, "{bound:?}, but {peak} bytes suffice");
    Ok(())
}

proptest! {
    #[test]
    fn nothing_that_the_search_finds_is_below(
        choices in choices(),
        rows in 2..40_i64,
        limits in limits(),
        steps in 0..2_000_u64,
    ) {
        check(&generate::program(&choices, rows), limits, steps)?;
    }

    #[test]
    fn nor_with_two_dimensions(
        layers in proptest::collection::vec(
            (prop_oneof![Just(1_i64), 1..5_i64], proptest::option::of(0..4_usize))
                .prop_map(|(window, second)| Layer { window, second }),
            1..10,
        ),
        channels in 1..6_i64,
        size in [4..30_i64, 4..30_i64],
        limits in limits(),
        steps in 0..5_000_u64,
    ) {
        check(&images::program(&layers, channels, size), limits, steps)?;
    }
}
