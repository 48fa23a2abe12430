//! Regions that are emptied after last uses, for memory that dies before its scope ends.
//!
//! In a scope of one block, the live range of a class is an interval of operations. It begins at the first
//! operation that allocates some of the memory, and ends at the last one that uses a memref of the class.
//! Classes whose intervals do not overlap share a region, which is emptied after each interval. The intervals
//! are colored from left to right with the lowest free region. The number of regions is then the largest
//! number of overlapping intervals, which is optimal, as interval graphs are perfect.

use super::{
    classes::Solved,
    facts::{Function, ScopeId, ValueId},
    settings::Release,
    summary::Summary,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// One of several regions of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeRegion {
    /// The scope.
    pub scope: ScopeId,
    /// The number of the region in the scope.
    pub number: u32,
}

/// Regions that are emptied after last uses.
#[derive(Clone, Debug, Default)]
pub struct LastUseRegions {
    /// For each class in such a region, the region.
    pub region_of_class: FxHashMap<u32, ScopeRegion>,
    /// Scopes that have such regions, with their number.
    pub counts: Vec<(ScopeId, u32)>,
    /// Each region, with the operation after which it is emptied, by its position in the scope's block.
    pub release_points: Vec<(ScopeRegion, usize)>,
}

/// The live range of a class in a scope: the first and last operation, by position in the scope's block.
#[derive(Clone, Copy)]
struct LiveRange {
    first: usize,
    last: usize,
    class: u32,
}

/// Finds the regions for the classes that may be placed in them.
pub fn last_use_regions(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    release: Release,
    may_be_placed: impl Fn(u32, ScopeId) -> bool,
) -> LastUseRegions {
    let mut regions = LastUseRegions::default();
    if release == Release::ScopeEnd {
        return regions;
    }
    let (ranges, shared_calls) = allocation_ranges(function, solved, summaries);
    let mut last: Vec<u32> = vec![0; solved.classes.len()];
    for (value, number) in &function.uses {
        let last = &mut last[solved.class_of[value.index()] as usize];
        *last = (*last).max(*number);
    }
    let mut by_scope: Vec<Vec<LiveRange>> = vec![Vec::new(); function.scopes.len()];
    for AllocationRange {
        class,
        first,
        last: latest,
    } in ranges
    {
        let info = &solved.classes[class as usize];
        let Some(scope) = info.common_scope.filter(|_| !info.is_returned) else {
            continue;
        };
        let is_placeable =
            info.rejected.is_none() && info.is_candidate && !shared_calls.contains(&class);
        if !is_placeable || !may_be_placed(class, scope) {
            continue;
        }
        let block_ops = &function.op_numbers[scope.index()];
        let at = |number: u32| {
            block_ops
                .partition_point(|start| *start <= number)
                .checked_sub(1)
        };
        let until = latest.max(last[class as usize]);
        let (Some(first), Some(last)) = (at(first), at(until)) else {
            continue;
        };
        // No operation can follow the terminator.
        if last + 1 < block_ops.len() {
            by_scope[scope.index()].push(LiveRange { first, last, class });
        }
    }
    for (at, live_ranges) in by_scope.into_iter().enumerate() {
        color(ScopeId(at as u32), live_ranges, release, &mut regions);
    }
    regions
}

/// The first and the last operation that allocates memory of a class, by number.
struct AllocationRange {
    class: u32,
    first: u32,
    last: u32,
}

/// The allocation range of each class, and the classes that share a call with another class.
fn allocation_ranges(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
) -> (Vec<AllocationRange>, FxHashSet<u32>) {
    let mut ranges: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    let mut order: Vec<u32> = Vec::new();
    let mut record = |value: ValueId, number: u32| {
        let class = solved.class_of[value.index()];
        let span = ranges.entry(class).or_insert_with(|| {
            order.push(class);
            (number, number)
        });
        *span = (span.0.min(number), span.1.max(number));
        class
    };
    let mut shared_calls: FxHashSet<u32> = FxHashSet::default();
    for allocation in &function.allocations {
        record(allocation.value, allocation.number);
    }
    for call in &function.calls {
        let mut first = None;
        for value in summaries[call.callee].allocated_results(call) {
            let class = record(value, call.number);
            let before = *first.get_or_insert(class);
            if before != class {
                shared_calls.extend([before, class]);
            }
        }
    }
    let spans = order.iter().map(|class| {
        let (first, last) = ranges[class];
        AllocationRange {
            class: *class,
            first,
            last,
        }
    });
    (spans.collect(), shared_calls)
}

/// Colors the live ranges of one scope.
fn color(
    scope: ScopeId,
    mut live_ranges: Vec<LiveRange>,
    release: Release,
    regions: &mut LastUseRegions,
) {
    live_ranges.sort_by_key(|range| (range.first, range.last, range.class));
    let mut busy: BinaryHeap<Reverse<(usize, u32)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut count = 0;
    let mut assigned: Vec<(LiveRange, u32)> = Vec::with_capacity(live_ranges.len());
    for range in live_ranges {
        while let Some(Reverse((last, region))) = busy.peek().copied() {
            if last >= range.first {
                break;
            }
            busy.pop();
            free.push(Reverse(region));
        }
        let region = free.pop().map_or_else(
            || {
                count += 1;
                count - 1
            },
            |Reverse(region)| region,
        );
        busy.push(Reverse((range.last, region)));
        assigned.push((range, region));
    }
    // If few classes share a region, one region for all until the scope ends costs little more.
    if assigned.is_empty() || release == Release::Auto && count as usize * 2 > assigned.len() {
        return;
    }
    regions.counts.push((scope, count));
    for (range, number) in assigned {
        let region = ScopeRegion { scope, number };
        regions.region_of_class.insert(range.class, region);
        regions.release_points.push((region, range.last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_problems::random::Random;

    /// On random live ranges: ranges in one region never overlap, and the number of regions is the largest
    /// number of overlapping ranges.
    #[test]
    fn as_many_regions_as_overlapping_live_ranges() {
        let mut random = Random(7);
        for _ in 0..300 {
            let live_ranges: Vec<LiveRange> = (0..1 + random.below(40) as u32)
                .map(|class| {
                    let first = random.below(60);
                    let last = first + random.below(20);
                    LiveRange { first, last, class }
                })
                .collect();
            let mut regions = LastUseRegions::default();
            color(
                ScopeId(0),
                live_ranges.clone(),
                Release::LastUse,
                &mut regions,
            );
            let region = |range: &LiveRange| regions.region_of_class[&range.class];
            for (at, range) in live_ranges.iter().enumerate() {
                for other in &live_ranges[..at] {
                    let apart = range.last < other.first || other.last < range.first;
                    assert!(apart || region(range) != region(other));
                }
            }
            let at_once = |at: usize| {
                let spans = live_ranges.iter();
                spans
                    .filter(|range| range.first <= at && at <= range.last)
                    .count()
            };
            let most = (0..80).map(at_once).max();
            assert_eq!(regions.counts, [(ScopeId(0), most.unwrap_or(0) as u32)]);
            assert_eq!(regions.release_points.len(), live_ranges.len());
        }
    }

    /// No region is emptied early if few classes share one.
    #[test]
    fn few_shared_regions_are_not_emptied_early() {
        let span = |first, last, class| LiveRange { first, last, class };
        let mut regions = LastUseRegions::default();
        let live_ranges = vec![span(0, 5, 0), span(1, 6, 1), span(7, 8, 2)];
        color(ScopeId(0), live_ranges.clone(), Release::Auto, &mut regions);
        assert!(regions.region_of_class.is_empty() && regions.counts.is_empty());
        color(ScopeId(0), live_ranges, Release::LastUse, &mut regions);
        assert_eq!(regions.counts, [(ScopeId(0), 2)]);
    }
}
