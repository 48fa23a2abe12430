//! Improves a plan: a buffer that costs more than it would alone is taken out with some of its neighbors, and all are placed
//! again, it first.

use crate::{
    insert::Partial,
    plan::{Holding, Plan},
    problem::Problem,
    sequence::cheapest,
};

/// Most buffers that are taken out with one.
const MOST_OTHERS: u64 = 4;

/// A small generator of numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        // Vigna, "Further scramblings of Marsaglia's xorshift generators", 2016.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        (number % end.max(1) as u64) as usize
    }
}

/// Improves a plan by so many attempts.
pub fn improve(
    problem: &Problem,
    holdings: &[Holding],
    plan: Plan,
    attempts: u32,
    bound: u128,
) -> Plan {
    let alone: Vec<u128> = problem
        .buffers
        .iter()
        .map(|buffer| cheapest(problem, buffer, holdings, |_, _| true, |_, _| Some(0)))
        .map(|found| found.map_or(0, |(cost, _)| cost))
        .collect();
    let neighbors = neighbors(problem);
    let mut partial = Partial::of(problem, holdings, &plan);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut cost = plan.cost;
    let mut lossy: Vec<usize> = Vec::new();
    for attempt in 0..attempts {
        if cost <= bound {
            break;
        }
        if attempt % 64 == 0 {
            let loses = |index: &usize| partial.costs[*index] > alone[*index];
            lossy = (0..alone.len()).filter(loses).collect();
        }
        if lossy.is_empty() {
            break;
        }
        let first = lossy[numbers.below(lossy.len())];
        let near = &neighbors[first];
        let count = numbers.below(MOST_OTHERS as usize + 1);
        let mut out = vec![first];
        for _ in 0..count.min(near.len()) {
            let other = near[numbers.below(near.len())];
            if !out.contains(&other) {
                out.push(other);
            }
        }
        let before: Vec<_> = out
            .iter()
            .map(|index| (*index, partial.costs[*index]))
            .collect();
        let olds: Vec<_> = out.iter().map(|index| partial.take(*index)).collect();
        let is_placed = out.iter().all(|index| partial.place(*index, None));
        let now = partial.cost();
        if is_placed && now <= cost {
            cost = now;
            continue;
        }
        for index in &out {
            partial.take(*index);
        }
        for ((index, cost), old) in before.into_iter().zip(olds) {
            if let Some(old) = old {
                partial.put(index, old, cost);
            }
        }
    }
    partial.plan().unwrap_or(plan)
}

/// Most neighbors of a buffer that are known.
const MOST_NEIGHBORS: usize = 64;

/// For each buffer, others that are there at the same time.
fn neighbors(problem: &Problem) -> Vec<Vec<usize>> {
    let span = |index: usize| {
        let buffer = &problem.buffers[index];
        let ranges = (0..buffer.layers()).flat_map(|layer| buffer.ranges(layer));
        let ranges = ranges.filter(|range| range.0 < range.1);
        let (first, end) = ranges.fold((u32::MAX, 0), |all, range| {
            (all.0.min(range.0), all.1.max(range.1))
        });
        (first, end)
    };
    let spans: Vec<(u32, u32)> = (0..problem.buffers.len()).map(span).collect();
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|index| (spans[*index], *index));
    let mut found = vec![Vec::new(); spans.len()];
    // Those that started before and are still there.
    let mut open: Vec<usize> = Vec::new();
    for index in order {
        open.retain(|other| spans[*other].1 > spans[index].0);
        for other in open.iter().rev().take(MOST_NEIGHBORS) {
            if found[index].len() < MOST_NEIGHBORS {
                found[index].push(*other);
            }
            if found[*other].len() < MOST_NEIGHBORS {
                found[*other].push(index);
            }
        }
        open.push(index);
    }
    found
}
