//! The bytes of the heap that a call holds: arenas, and what is beside them.

use super::{
    block_tree::BlockTree,
    held::held_positions,
    plan::{Arena, Plan},
    split::others,
    write_plan::ArenaAllocation,
};
use memplan_lifetimes::{Analysis, live::union, program::ScopeId};

/// The most bytes at one moment, and a lower bound of that. `None` where only arenas are held, and where sizes are known
/// only at run time.
pub fn heap(
    analysis: &Analysis<'_>,
    plan: &Plan,
    places: &[ArenaAllocation],
) -> Option<(u64, u64)> {
    let others = others(analysis, ScopeId::new(0), None);
    if others.is_empty() || plan.arenas.iter().any(|arena| arena.dynamic.is_some()) {
        return None;
    }
    let tree = BlockTree::of(&analysis.program);
    let (mut held, mut needed) = (Vec::new(), Vec::new());
    for other in &others {
        let bytes = other.bytes?;
        held.push((u64::from(other.first), u64::from(other.end), bytes));
        needed.push((u64::from(other.first), u64::from(other.certain), bytes));
    }
    for arena in on_heap(plan, places) {
        let (first, end) = held_positions(analysis, &tree, plan, arena);
        held.push((first, end, arena.size));
        let mut members = vec![Vec::new(); arena.slices.len()];
        for slice in &arena.slices {
            members[slice.host].extend(plan.live(analysis, slice).iter().copied());
        }
        for (slice, live) in arena.slices.iter().zip(members) {
            let live = union(live).into_iter();
            needed.extend(live.map(|(first, end)| (first.into(), end.into(), slice.size)));
        }
    }
    let most = most(&held);
    Some((most, self::most(&needed).min(most)))
}

/// Arenas that are allocations.
fn on_heap<'p>(plan: &'p Plan, places: &'p [ArenaAllocation]) -> impl Iterator<Item = &'p Arena> {
    let both = plan.arenas.iter().zip(places);
    let allocated = both.filter(|(_, place)| **place == ArenaAllocation::Alloc);
    allocated.map(|(arena, _)| arena)
}

/// The most bytes at one moment, of ranges of positions with bytes.
pub fn most(ranges: &[(u64, u64, u64)]) -> u64 {
    let changes = ranges.iter().flat_map(|(first, end, bytes)| {
        let bytes = i128::from(*bytes);
        [(*first, bytes), (*end, -bytes)]
    });
    let mut changes: Vec<(u64, i128)> = changes.collect();
    // What ends at a position is freed before what begins there.
    changes.sort_unstable();
    let (mut held, mut most) = (0_i128, 0_i128);
    for (_, change) in changes {
        held += change;
        most = most.max(held);
    }
    u64::try_from(most).unwrap_or(u64::MAX)
}
