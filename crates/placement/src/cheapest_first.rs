//! Moving of whole buffers, the cheapest at the fullest position first.

use crate::{
    plan::{Plan, Sequence},
    problem::{Problem, SpaceSet},
};

/// Moves whole buffers from `fast` to `slow`, as `memplan-merge-alloc` does with `spill`: of those that are there at the fullest
/// position, those go first whose uses cost least more, until it fits. `None` if it never does.
#[must_use]
pub fn cheapest_first(problem: &Problem, fast: usize, slow: usize) -> Option<Plan> {
    let capacity = problem.spaces[fast].capacity?;
    let (in_fast, in_slow) = (SpaceSet::one(fast), SpaceSet::one(slow));
    let mut is_moved: Vec<bool> = problem
        .buffers
        .iter()
        .map(|buffer| buffer.touches.iter().any(|touch| !touch.spaces.has(fast)))
        .collect();
    let may_move = |index: usize| {
        let mut touches = problem.buffers[index].touches.iter();
        touches.all(|touch| touch.spaces.has(slow))
    };
    loop {
        let mut held = vec![0_u64; problem.positions as usize];
        for fixed in problem.fixed.iter().filter(|fixed| fixed.space == fast) {
            (fixed.range.0..fixed.range.1).for_each(|at| held[at as usize] += fixed.bytes);
        }
        let add = |index: usize, at: u32, bytes: &mut Vec<u64>| {
            bytes[at as usize] += problem.buffers[index].size;
        };
        for (index, buffer) in problem.buffers.iter().enumerate() {
            if !is_moved[index] {
                for (first, end) in (0..buffer.layers()).flat_map(|layer| buffer.ranges(layer)) {
                    (*first..*end).for_each(|at| add(index, at, &mut held));
                }
            }
        }
        let fullest = (0..problem.positions).max_by_key(|at| (held[*at as usize], u32::MAX - at));
        let Some(at) = fullest.filter(|at| held[*at as usize] > capacity) else {
            break;
        };
        let excess = held[at as usize] - capacity;
        let is_there = |index: &usize| {
            let buffer = &problem.buffers[*index];
            let mut ranges = (0..buffer.layers()).flat_map(|layer| buffer.ranges(layer));
            !is_moved[*index]
                && may_move(*index)
                && ranges.any(|range| range.0 <= at && at < range.1)
        };
        let mut there: Vec<(u128, usize)> = (0..problem.buffers.len())
            .filter(is_there)
            .map(|index| {
                let buffer = &problem.buffers[index];
                let whole = |space: usize| -> u128 {
                    let touches = 0..buffer.touches.len();
                    touches
                        .map(|touch| buffer.touch_cost(touch, &problem.spaces[space]))
                        .sum()
                };
                (whole(slow).saturating_sub(whole(fast)), index)
            })
            .collect();
        there.sort_unstable();
        let mut freed = 0;
        let mut chosen = Vec::new();
        for (_, index) in there {
            if freed >= excess {
                break;
            }
            freed += problem.buffers[index].size;
            chosen.push(index);
        }
        if chosen.is_empty() {
            return None;
        }
        // With a large one, smaller ones before it may not be needed.
        for index in chosen.into_iter().rev() {
            let size = problem.buffers[index].size;
            match freed - size >= excess {
                true => freed -= size,
                false => is_moved[index] = true,
            }
        }
    }
    let mut plan = Plan::default();
    for (index, buffer) in problem.buffers.iter().enumerate() {
        let holding = if is_moved[index] { in_slow } else { in_fast };
        let is_dead = |layer: usize| layer % 2 == 1 && buffer.gaps[layer / 2].is_dead;
        let held = (0..buffer.layers()).map(|layer| match is_dead(layer) {
            true => SpaceSet::NONE,
            false => holding,
        });
        let sequence = Sequence {
            holdings: held.collect(),
        };
        plan.cost += sequence.cost(problem, buffer)?;
        plan.sequences.push(sequence);
    }
    Some(plan)
}
