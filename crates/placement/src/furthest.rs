//! Eviction of the furthest next use.

use crate::{
    plan::{Plan, Sequence, is_possible},
    problem::{Buffer, Problem, SpaceSet},
};

/// Eviction of the buffer whose next use is furthest away, as spilling of L1 memory in tt-mlir and Belady's rule do. It has two
/// spaces: `fast` has a limit, `slow` none. Buffers are copied back before their next use; those that do not fit are used where
/// they are. `None` if an operation needs what does not fit.
#[must_use]
pub fn furthest_next_use(problem: &Problem, fast: usize, slow: usize) -> Option<Plan> {
    let capacity = problem.spaces[fast].capacity?;
    let (in_fast, in_slow) = (SpaceSet::one(fast), SpaceSet::one(slow));
    let mut used = vec![0_u64; problem.positions as usize];
    for fixed in problem.fixed.iter().filter(|fixed| fixed.space == fast) {
        for at in fixed.range.0..fixed.range.1 {
            used[at as usize] += fixed.bytes;
        }
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
    let fits = |used: &[u64], buffer: &Buffer, layer: usize| {
        let mut all = buffer
            .ranges(layer)
            .iter()
            .flat_map(|range| range.0..range.1);
        all.all(|at| used[at as usize].saturating_add(buffer.size) <= capacity)
    };
    let change = |used: &mut [u64], buffer: &Buffer, layer: usize, is_added: bool| {
        for range in buffer.ranges(layer) {
            for at in range.0..range.1 {
                let bytes = &mut used[at as usize];
                *bytes = match is_added {
                    true => *bytes + buffer.size,
                    false => *bytes - buffer.size,
                };
            }
        }
    };
    for (at, index, number) in touches {
        let buffer = &problem.buffers[index];
        if !buffer.touches[number].spaces.has(fast) {
            continue;
        }
        // Those that rest there now, the furthest next use first.
        let mut resting: Vec<(u32, usize, usize)> = Vec::new();
        for (other, one) in problem.buffers.iter().enumerate() {
            for gap in 0..one.gaps.len() {
                let is_there = sequences[other][2 * gap + 1] == in_fast && !one.gaps[gap].is_dead;
                let mut ranges = one.gaps[gap].ranges.iter();
                let is_now = ranges.any(|range| range.0 <= at && at < range.1);
                if is_there && is_now && one.gaps[gap].spaces.has(slow) {
                    let next = one.touches[gap + 1]
                        .ranges
                        .first()
                        .map_or(at, |range| range.0);
                    resting.push((next, other, gap));
                }
            }
        }
        resting.sort_unstable_by(|one, other| other.cmp(one));
        let mut resting = resting.into_iter();
        let mut has_room = fits(&used, buffer, 2 * number);
        while !has_room {
            let Some((_, other, gap)) = resting.next() else {
                break;
            };
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
