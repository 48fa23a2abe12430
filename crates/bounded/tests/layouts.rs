//! Layouts of random trees are valid and meet their bounds; those of small trees are optimal.

mod common;
mod exact;

use common::{small, trees};
use exact::least_moved;
use memplan_bounded::{
    Analysis, Builder, Deaths, Layout, Load, Motion, Placement, StepId, Tree, Value, ValueId,
    check::{Fault, check},
    scan::{self, Fit},
};
use memplan_planner::Effort;
use proptest::prelude::*;

const EFFORT: Effort = Effort::Steps(20_000);

/// The load by its definition: for each path by itself, value by value.
fn load_by_definition(tree: &Tree, sizes: &[u64]) -> u64 {
    let mut most = 0;
    for leaf in tree.leaves() {
        let mut path = vec![leaf];
        while let Some(parent) = tree.segments[path[path.len() - 1].index()].parent {
            path.push(parent);
        }
        path.reverse();
        let mut live: Vec<ValueId> = Vec::new();
        for segment in path {
            let facts = &tree.segments[segment.index()];
            // Values without a later use are not live.
            let is_used = |value: &ValueId, from: u32| {
                (from..facts.end).any(|step| tree.uses(StepId(step)).contains(value))
            };
            live.retain(|value| is_used(value, facts.steps.start));
            for step in facts.steps.clone() {
                live.retain(|value| is_used(value, step + 1));
                live.extend(tree.defines(StepId(step)));
                most = most.max(live.iter().map(|value| sizes[value.index()]).sum());
                live.retain(|value| is_used(value, step + 1));
            }
        }
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_load_is_that_of_its_definition(tree in trees()) {
        let deaths = Deaths::of(&tree);
        let load = Load::of(&tree, &deaths);
        prop_assert_eq!(load.most, load_by_definition(&tree, &tree.sizes()));
        prop_assert_eq!(load.most_rounded, load_by_definition(&tree, &tree.rounded()));
    }

    #[test]
    fn layouts_are_valid_and_ordered(tree in trees()) {
        for placement in [Placement::First, Placement::Best, Placement::Planner] {
            let analysis = Analysis::new(&tree, placement, EFFORT);
            let (plain, unmoved) = (analysis.plain(), analysis.without_moves().unwrap());
            let lowest = analysis.lowest(&unmoved);
            for plan in [&plain, &unmoved, &lowest] {
                prop_assert_eq!(check(&tree, &plan.layout), Ok(()));
                prop_assert_eq!(plan.worst.peak, plan.layout.peak);
                for (_, path) in plan.layout.paths(&tree, &analysis.load) {
                    prop_assert!(path.max_live <= path.peak);
                }
            }
            prop_assert!(lowest.layout.peak <= analysis.load.most_rounded);
            prop_assert!(analysis.load.most <= lowest.layout.peak);
            prop_assert!(lowest.layout.peak <= unmoved.layout.peak);
            prop_assert!(unmoved.layout.peak <= plain.layout.peak);
            if placement == Placement::Planner {
                for fit in [Fit::First, Fit::Best] {
                    prop_assert!(unmoved.layout.peak <= analysis.scan(fit).layout.peak);
                }
            }
        }
    }

    #[test]
    fn a_curve_falls_and_a_budget_is_kept(tree in trees(), budget in 0_u64..400) {
        let analysis = Analysis::new(&tree, Placement::Planner, EFFORT);
        let unmoved = analysis.without_moves().unwrap();
        let plans = analysis.plans(&unmoved);
        let curve = Analysis::curve(&plans);
        for plan in &plans {
            prop_assert_eq!(check(&tree, &plan.layout), Ok(()));
        }
        for pair in curve.windows(2) {
            prop_assert!(pair[0].peak < pair[1].peak && pair[0].moved_bytes > pair[1].moved_bytes);
        }
        prop_assert!(curve.first().is_some_and(|point| point.peak <= analysis.load.most_rounded));
        prop_assert_eq!(curve.last().map(|point| point.moved_bytes), Some(0));
        let within = Analysis::within(&plans, budget).unwrap();
        prop_assert!(within.worst.moved_bytes <= budget);
    }

    #[test]
    fn slots_of_one_size_need_no_moves(tree in common::trees_of(&[8])) {
        let deaths = Deaths::of(&tree);
        let layout = scan::scan(&tree, &deaths, Fit::First);
        prop_assert_eq!(layout.peak, Load::of(&tree, &deaths).most);
    }

    #[test]
    fn pinned_values_stay_and_the_stack_may_grow(tree in common::trees_with_pins()) {
        let analysis = Analysis::new(&tree, Placement::First, EFFORT);
        let unmoved = analysis.without_moves().unwrap();
        let lowest = analysis.lowest(&unmoved);
        prop_assert_eq!(check(&tree, &lowest.layout), Ok(()));
        prop_assert!(analysis.load.most <= lowest.layout.peak);
        prop_assert!(lowest.layout.peak <= unmoved.layout.peak);
        for plan in analysis.plans(&unmoved) {
            prop_assert_eq!(check(&tree, &plan.layout), Ok(()));
            prop_assert!(plan.layout.peak <= unmoved.layout.peak);
        }
    }

    #[test]
    fn wrong_offsets_are_found(tree in trees(), which in any::<prop::sample::Index>(), by in 1_u64..9) {
        let analysis = Analysis::new(&tree, Placement::First, EFFORT);
        let plan = analysis.without_moves().unwrap();
        let mut layout = plan.layout.clone();
        let sized: Vec<usize> = (0..tree.values.len()).filter(|at| tree.values[*at].size > 0).collect();
        prop_assume!(!sized.is_empty());
        let at = sized[which.index(sized.len())];
        layout.offsets[at] += by * tree.values[at].alignment;
        let wrong = check(&tree, &layout);
        prop_assert_eq!(wrong.is_ok(), by_hand(&tree, &layout), "{:?}", wrong);
    }
}

/// Whether a layout without moves is valid, by comparing live ranges pairwise.
fn by_hand(tree: &Tree, layout: &Layout) -> bool {
    let (ranges, sizes) = (Deaths::of(tree).ranges, tree.sizes());
    let spans = |at: usize| {
        (
            layout.offsets[at],
            layout.offsets[at] + tree.values[at].size,
        )
    };
    let meet = |(a, b): (u64, u64), (c, d): (u64, u64)| a < d && c < b;
    let mut highest = 0;
    for one in 0..tree.values.len() {
        if sizes[one] == 0 {
            continue;
        }
        highest = highest.max(layout.offsets[one] + sizes[one]);
        for other in 0..one {
            let at_once = ranges[one]
                .iter()
                .any(|range| ranges[other].iter().any(|with| meet(*range, *with)));
            if at_once && sizes[other] > 0 && meet(spans(one), spans(other)) {
                return false;
            }
        }
    }
    highest == layout.peak
}

/// Whether moves of at most `budget` bytes suffice, by exhaustive search: a reference for the other search.
fn can(tree: &Tree, deaths: &Deaths, limit: u64, budget: u64) -> bool {
    type State = Vec<(ValueId, u64)>;
    fn go(
        tree: &Tree,
        deaths: &Deaths,
        limit: u64,
        budget: u64,
        step: u32,
        state: &State,
        seen: &mut std::collections::HashSet<(u32, State, u64)>,
    ) -> bool {
        if step as usize == tree.len() {
            return true;
        }
        if !seen.insert((step, state.clone(), budget)) {
            return false;
        }
        let sizes = tree.rounded();
        let free = |state: &State, value: ValueId, at: u64| {
            at + sizes[value.index()] <= limit
                && state.iter().all(|(other, from)| {
                    *other == value
                        || from + sizes[other.index()] <= at
                        || at + sizes[value.index()] <= *from
                })
        };
        let dying = &deaths.at_step[step as usize];
        let mut states = vec![state.clone()];
        states[0].retain(|(value, _)| !dying.contains(value));
        for value in tree.defines(StepId(step)) {
            let mut next = Vec::new();
            for state in &states {
                for at in (0..limit).step_by(tree.unit() as usize) {
                    if free(state, *value, at) {
                        let mut with = state.clone();
                        with.push((*value, at));
                        next.push(with);
                    }
                }
            }
            states = next;
        }
        for mut after in states {
            after.retain(|(value, _)| !dying.contains(value));
            after.sort();
            if go(tree, deaths, limit, budget, step + 1, &after, seen) {
                return true;
            }
        }
        for at in 0..state.len() {
            let size = sizes[state[at].0.index()];
            if size > budget {
                continue;
            }
            for to in (0..limit).step_by(tree.unit() as usize) {
                if to != state[at].1 && free(state, state[at].0, to) {
                    let mut moved = state.clone();
                    moved[at].1 = to;
                    if go(tree, deaths, limit, budget - size, step, &moved, seen) {
                        return true;
                    }
                }
            }
        }
        false
    }
    go(
        tree,
        deaths,
        limit,
        budget,
        0,
        &Vec::new(),
        &mut Default::default(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_search_finds_the_fewest_bytes_moved(tree in small()) {
        let deaths = Deaths::of(&tree);
        let limit = Load::of(&tree, &deaths).most_rounded;
        let least = least_moved(&tree, &deaths, limit, 200_000).unwrap().expect("the load is enough");
        prop_assert!(can(&tree, &deaths, limit, least));
        if least > 0 {
            prop_assert!(!can(&tree, &deaths, limit, least - tree.unit()));
        }
        let analysis = Analysis::new(&tree, Placement::Planner, EFFORT);
        let unmoved = analysis.without_moves().unwrap();
        prop_assert!(analysis.lowest(&unmoved).worst.moved_bytes >= least);
    }
}

/// Three contiguous buffers of 32, 16 and 32 bytes. The outer ones die, and then 64 bytes are needed: as many are free,
/// but not contiguous. By hand: without reuse, the stack has 144 bytes. The hole below the middle buffer and the free
/// bytes above it lead to 112 bytes without a move. A move of 16 bytes leads to the load of 80.
fn figure() -> Tree {
    let mut program = Builder::new();
    program.open(None);
    let mut defined = Vec::new();
    for bytes in [32, 16, 32] {
        defined.extend(program.step(&[], [Value::buffer(bytes, 8)]));
    }
    program.step(&[defined[0]], []);
    program.step(&[defined[2]], []);
    let large = program.step(&[], [Value::buffer(64, 8)])[0];
    program.step(&[defined[1], large], []);
    program.finish().unwrap()
}

#[test]
fn the_figure_of_fragmented_space() {
    let tree = figure();
    let analysis = Analysis::new(&tree, Placement::First, EFFORT);
    let unmoved = analysis.without_moves().unwrap();
    let lowest = analysis.lowest(&unmoved);
    assert_eq!(analysis.plain().layout.peak, 144);
    assert_eq!(unmoved.layout.peak, 112);
    assert_eq!((lowest.layout.peak, analysis.load.most), (80, 80));
    let middle = Motion::Move {
        value: ValueId(1),
        from: 32,
        to: 0,
    };
    assert_eq!(lowest.layout.relocations.len(), 1);
    assert_eq!(lowest.layout.relocations[0].motions, [middle]);
    let worst = lowest.worst;
    assert_eq!(
        (worst.defragmentations, worst.moves, worst.moved_bytes),
        (1, 1, 16)
    );
    let least = least_moved(&tree, &analysis.deaths, 80, 100_000);
    // The solver has all of the program in view, and places the middle buffer where it need not move.
    assert_eq!(least, Ok(Some(0)));
    let planned = Analysis::new(&tree, Placement::Planner, EFFORT);
    assert_eq!(planned.without_moves().unwrap().layout.peak, 80);
}

#[test]
fn moves_over_what_is_needed_are_refused() {
    let tree = figure();
    let analysis = Analysis::new(&tree, Placement::First, EFFORT);
    let unmoved = analysis.without_moves().unwrap();
    let good = analysis.lowest(&unmoved).layout;
    let with = |motion: Motion, step: u32| {
        let mut layout = good.clone();
        layout.relocations[0].motions = vec![motion];
        layout.relocations[0].step = StepId(step);
        check(&tree, &layout)
    };
    let motion = |value, from, to| Motion::Move {
        value: ValueId(value),
        from,
        to,
    };
    assert_eq!(with(motion(1, 32, 0), 5), Ok(()));
    // The first buffer is still read by operation 3, before which the move runs.
    assert_eq!(
        with(motion(1, 32, 0), 3),
        Err(Fault::Overwritten {
            step: StepId(3),
            value: ValueId(0),
            by: ValueId(1)
        })
    );
    assert_eq!(
        with(motion(1, 24, 0), 5),
        Err(Fault::Moved {
            step: StepId(5),
            value: ValueId(1)
        })
    );
    assert!(matches!(
        with(motion(1, 32, 4), 5),
        Err(Fault::Alignment { offset: 4, .. })
    ));
}

#[test]
fn a_value_is_dead_on_an_edge_that_does_not_use_it() {
    let mut program = Builder::new();
    let root = program.open(None);
    let a = program.step(&[], [Value::buffer(64, 8)])[0];
    program.open(Some(root));
    let b = program.step(&[], [Value::buffer(64, 8)])[0];
    program.step(&[b], []);
    program.open(Some(root));
    program.step(&[a], []);
    let tree = program.finish().unwrap();
    let layout = scan::scan(&tree, &Deaths::of(&tree), Fit::First);
    assert_eq!((layout.offsets, layout.peak), (vec![0, 0], 64));
}

#[test]
fn operands_are_readable_after_moves_before_the_operation() {
    // The sum of 16 bytes is placed over its operands of 8 bytes each, which are on both sides of a live value.
    let mut program = Builder::new();
    program.open(None);
    let [a, k, b] = [0, 1, 2].map(|_| program.step(&[], [Value::scalar(8, 8)])[0]);
    let sum = program.step(&[a, b], [Value::scalar(16, 8)])[0];
    program.step(&[k, sum], []);
    let tree = program.finish().unwrap();
    let analysis = Analysis::new(&tree, Placement::First, EFFORT);
    let unmoved = analysis.without_moves().unwrap();
    let lowest = analysis.lowest(&unmoved);
    assert_eq!((unmoved.layout.peak, lowest.layout.peak), (32, 24));
    assert_eq!(check(&tree, &lowest.layout), Ok(()));
    assert_eq!(lowest.worst.moved_bytes, 16);
}

/// Eight bytes and four single ones: 12 bytes without moves, where the strictest alignment would ask for 40.
#[test]
fn sizes_are_not_rounded_up_where_nothing_moves() {
    let mut program = Builder::new();
    program.open(None);
    let mut defined = program.step(&[], [Value::buffer(8, 8)]);
    for _ in 0..4 {
        defined.extend(program.step(&[], [Value::buffer(1, 1)]));
    }
    program.step(&defined, []);
    let tree = program.finish().unwrap();
    for placement in [Placement::First, Placement::Best, Placement::Planner] {
        let analysis = Analysis::new(&tree, placement, EFFORT);
        let unmoved = analysis.without_moves().unwrap();
        let lowest = analysis.lowest(&unmoved);
        for plan in [&analysis.plain(), &unmoved, &lowest] {
            assert_eq!(plan.layout.peak, 12);
            assert_eq!(check(&tree, &plan.layout), Ok(()));
        }
        assert_eq!((analysis.load.most, analysis.load.most_rounded), (12, 40));
    }
}
