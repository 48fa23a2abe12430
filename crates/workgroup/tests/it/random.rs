//! Random kernels: plans have no fault, removed barriers are found, and the relation is the smallest one.

use crate::Offsets;
use crate::generate::{SMALL, TINY, kernel};
use memplan_planner::Effort;
use memplan_workgroup::interpret::{Coverage, find_fault, try_all_paths};
use memplan_workgroup::{
    Action, Analysis, BufferId, Interference, Kernel, Options, Place, Plan, plan,
};

const OPTIONS: Options = Options {
    insert_barriers: false,
    most_barriers: 4,
    attempts: 60,
    effort: Effort::Steps(2_000),
};

/// The number of random kernels: `PROPTEST_CASES`, or this one.
fn cases(usual: u64) -> u64 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

fn planned(kernel: &Kernel, options: &Options) -> Plan {
    plan(kernel, options).expect("the generator makes valid kernels")
}

fn interference(kernel: &Kernel) -> Interference {
    let analysis = Analysis::of(kernel).expect("the generator makes valid kernels");
    analysis.interference().clone()
}

fn overlap(kernel: &Kernel, offsets: &Offsets, one: BufferId, other: BufferId) -> bool {
    let end = |buffer| offsets[buffer] + kernel.buffers[buffer].size;
    offsets[one] < end(other) && offsets[other] < end(one)
}

fn pairs(kernel: &Kernel) -> impl Iterator<Item = (BufferId, BufferId)> + '_ {
    let buffers = kernel.buffers.keys();
    buffers.flat_map(|one| {
        let others = kernel.buffers.keys().skip(one.index() + 1);
        others.map(move |other| (one, other))
    })
}

/// Executes random schedules first, which find most faults, and then all paths of two threads.
fn finds_fault(kernel: &Kernel, offsets: &Offsets) -> bool {
    find_fault(kernel, offsets, 300, 1).is_some()
        || (0..40).any(|seed| {
            let visits = 1 + seed as usize % 3;
            let coverage = try_all_paths(kernel, offsets, visits, 500, seed);
            matches!(coverage, Coverage::Fault(_))
        })
        || find_fault(kernel, offsets, 20_000, 2).is_some()
}

#[test]
fn plans_have_no_fault_in_any_schedule() {
    let cases = cases(2_000);
    let (mut sharing, mut optimal) = (0, 0);
    for seed in 0..cases {
        let kernel = kernel(seed, SMALL);
        let plan = planned(&kernel, &OPTIONS);
        optimal += u64::from(plan.bytes == plan.lower_bound);
        let mut pairs = pairs(&kernel);
        sharing += u64::from(pairs.any(|(one, other)| overlap(&kernel, &plan.offsets, one, other)));
        let fault = find_fault(&kernel, &plan.offsets, 60, seed);
        assert_eq!(fault, None, "seed {seed}: {kernel:?} {plan:?}");
    }
    println!("{sharing} of {cases} kernels share bytes, {optimal} have the fewest possible");
    // Most kernels have few barriers, but the test means nothing where none share bytes.
    assert!(
        sharing * 5 > cases,
        "{sharing} of {cases} kernels share bytes"
    );
}

#[test]
fn plans_with_added_barriers_have_no_fault() {
    let cases = cases(2_000) / 10;
    let mut added = 0;
    for seed in 0..cases {
        let kernel = kernel(seed, SMALL);
        let before = planned(&kernel, &OPTIONS);
        let options = Options {
            insert_barriers: true,
            ..OPTIONS
        };
        let plan = planned(&kernel, &options);
        assert!(plan.bytes <= before.bytes, "seed {seed}");
        assert_eq!(
            plan.inserted.is_empty(),
            plan.bytes == before.bytes,
            "seed {seed}"
        );
        added += plan.inserted.len();
        let places: Vec<Place> = plan.inserted.iter().map(|barrier| barrier.place).collect();
        let changed = kernel.with_barriers(&places);
        let fault = find_fault(&changed, &plan.offsets, 60, seed);
        assert_eq!(fault, None, "seed {seed}: {changed:?} {plan:?}");
        for (at, barrier) in plan.inserted.iter().enumerate() {
            let mut others = places.clone();
            others.remove(at);
            let without = planned(&kernel.with_barriers(&others), &OPTIONS);
            assert_eq!(
                without.bytes,
                plan.bytes + barrier.saved_bytes,
                "seed {seed}"
            );
            assert!(barrier.saved_bytes > 0, "seed {seed}");
        }
    }
    println!("{added} barriers added to {cases} kernels");
    assert!(added as u64 * 10 > cases, "{added} barriers");
}

/// All places for a barrier, in uniform control or not.
fn places(kernel: &Kernel) -> Vec<Place> {
    let blocks = kernel.blocks.iter();
    let places = blocks.flat_map(|(block, facts)| {
        let actions = 0..=facts.actions.len();
        actions.map(move |action| Place { block, action })
    });
    places.collect()
}

/// The fewest bytes with this number of barriers, by trying all.
fn fewest(kernel: &Kernel, all: &[Place], chosen: &mut Vec<Place>, more: usize) -> u64 {
    let changed = kernel.with_barriers(chosen);
    let own = plan(&changed, &OPTIONS).map_or(u64::MAX, |plan| plan.bytes);
    if more == 0 || own == u64::MAX {
        return own;
    }
    let others = (0..all.len()).map(|at| {
        chosen.push(all[at]);
        let bytes = fewest(kernel, &all[at + 1..], chosen, more - 1);
        chosen.pop();
        bytes
    });
    others.fold(own, u64::min)
}

#[test]
fn few_barriers_save_as_much_as_any() {
    let (mut compared, mut saving, mut worse) = (0, 0, Vec::new());
    for seed in 0..cases(2_000) / 4 {
        let kernel = kernel(seed, TINY);
        let all = places(&kernel);
        if all.len() > 14 {
            continue;
        }
        for most_barriers in 1..=2 {
            let options = Options {
                insert_barriers: true,
                most_barriers,
                attempts: 1_000,
                ..OPTIONS
            };
            let found = planned(&kernel, &options).bytes;
            let expected = fewest(&kernel, &all, &mut Vec::new(), most_barriers);
            compared += 1;
            saving += u32::from(expected < planned(&kernel, &OPTIONS).bytes);
            if found != expected {
                worse.push((seed, most_barriers, found, expected));
            }
        }
    }
    println!("{saving} of {compared} kernels save bytes; {worse:?} save less than they could");
    assert!(saving > 20, "{saving}");
    assert!(worse.is_empty(), "{worse:?}");
}

fn barriers(kernel: &Kernel) -> Vec<Place> {
    let blocks = kernel.blocks.iter();
    let places = blocks.flat_map(|(block, facts)| {
        let actions = facts.actions.iter().enumerate();
        let barriers = actions.filter(|(_, action)| **action == Action::Barrier);
        barriers.map(move |(action, _)| Place { block, action })
    });
    places.collect()
}

/// Removes one barrier after the other. A removed one that the plan relies on is found, and added again: few barriers are
/// left for the next ones to be removed.
#[test]
fn a_removed_barrier_is_found() {
    let cases = cases(2_000) / 2;
    let (mut needed, mut harmless) = (0, 0);
    for seed in 0..cases {
        let mut kernel = kernel(seed, SMALL);
        let options = Options {
            insert_barriers: seed % 4 == 0,
            ..OPTIONS
        };
        let plan = planned(&kernel, &options);
        let places: Vec<Place> = plan.inserted.iter().map(|barrier| barrier.place).collect();
        kernel = kernel.with_barriers(&places);
        for place in barriers(&kernel).into_iter().rev() {
            let mut changed = kernel.clone();
            changed.blocks[place.block].actions.remove(place.action);
            let relation = interference(&changed);
            let is_needed = relation.overlap(&changed, &plan.offsets).is_some();
            let context = || format!("seed {seed}, {place:?}: {kernel:?} {plan:?}");
            if is_needed {
                needed += 1;
                assert!(finds_fault(&changed, &plan.offsets), "{}", context());
            } else {
                harmless += 1;
                let fault = find_fault(&changed, &plan.offsets, 20, seed);
                assert_eq!(fault, None, "{}", context());
                kernel = changed;
            }
        }
    }
    println!("{needed} removed barriers found, {harmless} that plans do not rely on");
    assert!(needed * 5 > cases, "{needed} barriers");
}

/// All buffers apart, except two that start at the same byte.
fn only_two_together(kernel: &Kernel, one: BufferId, other: BufferId) -> Offsets {
    let largest = kernel.buffers.values().map(|buffer| buffer.size).max();
    let apart = (0..).map(|number| number * largest.unwrap_or(0));
    let mut offsets: Offsets = apart.take(kernel.buffers.len()).collect();
    offsets[other] = offsets[one];
    offsets
}

#[test]
fn buffers_interfere_only_where_an_execution_has_a_fault() {
    let cases = cases(2_000) / 2;
    let (mut interfering, mut apart, mut conservative) = (0, 0, Vec::new());
    for seed in 0..cases {
        let kernel = kernel(seed, TINY);
        let relation = interference(&kernel);
        for (one, other) in pairs(&kernel) {
            let offsets = only_two_together(&kernel, one, other);
            if relation.interferes(one, other) {
                interfering += 1;
                if !finds_fault(&kernel, &offsets) {
                    conservative.push((seed, one, other));
                }
                continue;
            }
            apart += 1;
            let fault = find_fault(&kernel, &offsets, 60, seed);
            let context = format!("seed {seed}, {one:?} and {other:?}: {kernel:?}");
            assert_eq!(fault, None, "{context}");
            for tried in 0..6 {
                let coverage = try_all_paths(&kernel, &offsets, 2, 200, tried);
                let is_fault = matches!(coverage, Coverage::Fault(_));
                assert!(!is_fault, "{context}: {coverage:?}");
            }
        }
    }
    println!("{interfering} pairs interfere, {apart} do not, {conservative:?} without a fault");
    assert!(apart * 10 > interfering, "{apart} and {interfering}");
    assert!(conservative.is_empty(), "{conservative:?}");
}
