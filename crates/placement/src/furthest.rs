//! Eviction of the furthest next use.

use crate::{
    loads::Load,
    plan::{Plan, Sequence, is_possible},
    problem::{Buffer, Problem, SpaceSet},
};
use std::collections::BTreeSet;

/// Eviction of the buffer whose next use is furthest away, as spilling of L1 memory in tt-mlir and Belady's rule do. It has two
/// spaces: `fast` has a limit, `slow` none. Buffers are copied back before their next use; those that do not fit are used where
/// they are. `None` if an operation needs what does not fit.
#[must_use]
pub fn furthest_next_use(problem: &Problem, fast: usize, slow: usize) -> Option<Plan> {
    let capacity = problem.spaces[fast].capacity?;
    let (in_fast, in_slow) = (SpaceSet::one(fast), SpaceSet::one(slow));
    let mut used = Load::new(problem.positions);
    for fixed in problem.fixed.iter().filter(|fixed| fixed.space == fast) {
        used.add(fixed.range, fixed.bytes);
    }
    let mut sequences: Vec<Vec<SpaceSet>> = problem
        .buffers
        .iter()
        .map(|buffer| vec![in_slow; buffer.layers()])
        .collect();
    // Touches in the order of time.
    let mut touches: Vec<(u32, usize, usize)> = Vec::new();
    for (index, buffer) in problem.buffers.iter().enumerate() {
        for (number, touch) in buffer.touches.iter().enumerate() {
            let first = touch.ranges.iter().map(|range| range.0).min();
            touches.push((first.unwrap_or(0), index, number));
        }
    }
    touches.sort_unstable();
    let fits = |used: &Load, buffer: &Buffer, layer: usize| {
        let mut ranges = buffer.ranges(layer).iter();
        ranges.all(|range| used.most(*range).saturating_add(buffer.size) <= capacity)
    };
    let change = |used: &mut Load, buffer: &Buffer, layer: usize, is_added: bool| {
        for range in buffer.ranges(layer) {
            match is_added {
                true => used.add(*range, buffer.size),
                false => used.remove(*range, buffer.size),
            }
        }
    };
    // Gaps in the fast space that may be elsewhere, with the next use; those that are over go at that use.
    let mut resting: BTreeSet<(u32, usize, usize)> = BTreeSet::new();
    let next_use = |index: usize, gap: usize| {
        let ranges = &problem.buffers[index].touches[gap + 1].ranges;
        let next = ranges.first().map_or(0, |range| range.0);
        (next, index, gap)
    };
    for (at, index, number) in touches {
        let buffer = &problem.buffers[index];
        if let Some(gap) = number.checked_sub(1) {
            resting.remove(&next_use(index, gap));
        }
        if !buffer.touches[number].spaces.has(fast) {
            continue;
        }
        let is_now = |other: usize, gap: usize| {
            let mut ranges = problem.buffers[other].gaps[gap].ranges.iter();
            ranges.any(|range| range.0 <= at && at < range.1)
        };
        let mut has_room = fits(&used, buffer, 2 * number);
        while !has_room {
            let mut there = resting.iter().rev();
            let furthest = there.find(|(_, other, gap)| is_now(*other, *gap)).copied();
            let Some((next, other, gap)) = furthest else {
                break;
            };
            resting.remove(&(next, other, gap));
            change(&mut used, &problem.buffers[other], 2 * gap + 1, false);
            sequences[other][2 * gap + 1] = in_slow;
            has_room = fits(&used, buffer, 2 * number);
        }
        if has_room {
            change(&mut used, buffer, 2 * number, true);
            sequences[index][2 * number] = in_fast;
        } else if !buffer.touches[number].spaces.has(slow) {
            return None;
        }
        // It rests where it was used, as long as nothing needs its bytes.
        if sequences[index][2 * number] == in_fast && number < buffer.gaps.len() {
            let gap = &buffer.gaps[number];
            if gap.is_dead {
                sequences[index][2 * number + 1] = SpaceSet::NONE;
            } else if gap.spaces.has(fast) && fits(&used, buffer, 2 * number + 1) {
                change(&mut used, buffer, 2 * number + 1, true);
                sequences[index][2 * number + 1] = in_fast;
                if gap.spaces.has(slow) {
                    resting.insert(next_use(index, number));
                }
            }
        }
    }
    let mut plan = Plan {
        sequences: Vec::new(),
        cost: 0,
    };
    for (buffer, holdings) in problem.buffers.iter().zip(sequences) {
        let mut sequence = Sequence { holdings };
        keep_clean(problem, buffer, &mut sequence, (in_fast, in_slow));
        plan.cost += sequence.cost(problem, buffer)?;
        plan.sequences.push(sequence);
    }
    Some(plan)
}

/// A copy in the slow space stays while nothing is written: evicting again costs nothing.
fn keep_clean(
    problem: &Problem,
    buffer: &Buffer,
    sequence: &mut Sequence,
    (fast, slow): (SpaceSet, SpaceSet),
) {
    let mut is_clean = false;
    for layer in 0..sequence.holdings.len() {
        let held = sequence.holdings[layer];
        if held == slow {
            is_clean = true;
        } else if held.is_empty() || (layer % 2 == 0 && buffer.touches[layer / 2].writes > 0) {
            is_clean = false;
        } else if held == fast && is_clean {
            let both = fast.with(slow);
            let is_possible = is_possible(problem, buffer, layer, both);
            match is_possible {
                true => sequence.holdings[layer] = both,
                false => is_clean = false,
            }
        }
    }
}
