//! Copies that run beside operations: where a machine can do that, a buffer is reloaded while the operation runs that precedes its
//! next use. The copy starts before that operation (`memref.dma_start`), and the next use waits for it (`memref.dma_wait`).
//! There has to be room for the buffer and for what that operation uses: double buffering.

use super::{read::Reading, settings::Settings};
use memplan_placement::{Load, Plan, Range};
use rustc_hash::{FxHashMap, FxHashSet};

/// The step before which each early copy starts, by buffer and layer.
pub type Early = FxHashMap<(usize, usize), u32>;

/// Finds the copies of a plan that may be early. One copy runs beside each operation.
pub fn early(reading: &Reading<'_, '_>, plan: &Plan, settings: &Settings) -> Early {
    let mut early = Early::default();
    let spaces = &settings.spaces;
    if spaces.iter().all(|space| !space.copies_beside) {
        return early;
    }
    let problem = &reading.problem;
    let mut loads = Load::of(problem, plan);
    let mut taken: FxHashSet<(usize, u32)> = FxHashSet::default();
    for (index, sequence) in plan.sequences.iter().enumerate() {
        let Some(local) = &reading.sources[index].uses else {
            continue;
        };
        let steps = &reading.uses.blocks.all[local.block].steps;
        for layer in (2..sequence.holdings.len()).step_by(2) {
            let before = sequence.holdings[layer - 1];
            let mut new = sequence.holdings[layer].without(before).iter();
            let (Some(to), false) = (new.next(), before.is_empty()) else {
                continue;
            };
            let can_copy = |space: usize| spaces[space].copies_beside;
            if !can_copy(to) && !before.iter().any(can_copy) {
                continue;
            }
            let touch = |layer: usize| local.touches[layer / 2].step;
            let (last, next) = (touch(layer - 2), touch(layer));
            let works = |step: &u32| {
                let step = &steps[*step as usize];
                !step.reads.is_empty() || !step.writes.is_empty()
            };
            let Some(beside) = (last + 1..next).rev().find(works) else {
                continue;
            };
            let range: Range = (steps[beside as usize].start, steps[next as usize].start);
            let size = problem.buffers[index].size;
            let has_room = problem.spaces[to]
                .capacity
                .is_none_or(|limit| loads[to].most(range).saturating_add(size) <= limit);
            if has_room && taken.insert((local.block, beside)) {
                loads[to].add(range, size);
                early.insert((index, layer), beside);
            }
        }
    }
    early
}
