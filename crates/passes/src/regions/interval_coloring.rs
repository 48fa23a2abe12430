//! Regions for what dies before its scope ends: memory is given back behind its last use.
//!
//! In a scope that is one block, a class of memory is needed from the first operation of that block in which some of it is
//! made to the last one in which a memref of it is used. Classes that are never needed at once share a region, one after
//! another; it is emptied behind the last use of each. Regions are handed out from left to right, so that there are as many as
//! classes are ever needed at once (interval graphs are perfect).

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
    /// Its number.
    pub number: u32,
}

/// Which classes go to such regions.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    /// By class.
    pub of: FxHashMap<u32, ScopeRegion>,
    /// How many each scope has, where that is any.
    pub counts: Vec<(ScopeId, u32)>,
    /// Where they are emptied: behind which operation of the scope's row.
    pub ends: Vec<(ScopeRegion, usize)>,
}

/// What a class needs, in one scope: operations of its row.
#[derive(Clone, Copy)]
struct Needed {
    first: usize,
    last: usize,
    class: u32,
}

/// Finds them for classes that may be placed so.
pub fn lanes(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    release: Release,
    may_be_placed: impl Fn(u32, ScopeId) -> bool,
) -> Lanes {
    let mut lanes = Lanes::default();
    if release == Release::ScopeEnd {
        return lanes;
    }
    let (made, together) = made(function, solved, summaries);
    let mut last: Vec<u32> = vec![0; solved.classes.len()];
    for (value, number) in &function.uses {
        let last = &mut last[solved.class[value.index()] as usize];
        *last = (*last).max(*number);
    }
    let mut by_scope: Vec<Vec<Needed>> = vec![Vec::new(); function.scopes.len()];
    for AllocationRange {
        class,
        first,
        last: latest,
    } in made
    {
        let of = &solved.classes[class as usize];
        let Some(scope) = of.top.filter(|_| !of.is_returned) else {
            continue;
        };
        let is_free = of.stuck.is_none() && of.is_wanted && !together.contains(&class);
        if !is_free || !may_be_placed(class, scope) {
            continue;
        }
        let row = &function.lines[scope.index()];
        let at = |number: u32| row.partition_point(|start| *start <= number).checked_sub(1);
        let until = latest.max(last[class as usize]);
        let (Some(first), Some(last)) = (at(first), at(until)) else {
            continue;
        };
        // Behind what ends the row, there is no place.
        if last + 1 < row.len() {
            by_scope[scope.index()].push(Needed { first, last, class });
        }
    }
    for (at, needed) in by_scope.into_iter().enumerate() {
        assign(ScopeId(at as u32), needed, release, &mut lanes);
    }
    lanes
}

/// The first and the last operation that makes some of a class.
struct AllocationRange {
    class: u32,
    first: u32,
    last: u32,
}

/// For each class that is made, by which operations; and the classes that one call makes several of.
fn made(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
) -> (Vec<AllocationRange>, FxHashSet<u32>) {
    let mut made: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    let mut order: Vec<u32> = Vec::new();
    let mut makes = |value: ValueId, number: u32| {
        let class = solved.class[value.index()];
        let span = made.entry(class).or_insert_with(|| {
            order.push(class);
            (number, number)
        });
        *span = (span.0.min(number), span.1.max(number));
        class
    };
    let mut together: FxHashSet<u32> = FxHashSet::default();
    for allocation in &function.allocations {
        makes(allocation.value, allocation.number);
    }
    for call in &function.calls {
        let mut first = None;
        for value in summaries[call.callee].made_for(call) {
            let class = makes(value, call.number);
            let before = *first.get_or_insert(class);
            if before != class {
                together.extend([before, class]);
            }
        }
    }
    let spans = order.iter().map(|class| {
        let (first, last) = made[class];
        AllocationRange {
            class: *class,
            first,
            last,
        }
    });
    (spans.collect(), together)
}

/// Hands out the regions of one scope.
fn assign(scope: ScopeId, mut needed: Vec<Needed>, release: Release, lanes: &mut Lanes) {
    needed.sort_by_key(|one| (one.first, one.last, one.class));
    let mut busy: BinaryHeap<Reverse<(usize, u32)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut count = 0;
    let mut taken: Vec<(Needed, u32)> = Vec::with_capacity(needed.len());
    for one in needed {
        while let Some(Reverse((last, lane))) = busy.peek().copied() {
            if last >= one.first {
                break;
            }
            busy.pop();
            free.push(Reverse(lane));
        }
        let lane = free.pop().map_or_else(
            || {
                count += 1;
                count - 1
            },
            |Reverse(lane)| lane,
        );
        busy.push(Reverse((one.last, lane)));
        taken.push((one, lane));
    }
    // Where few of them share, they may as well stay until the scope ends, all in one.
    if taken.is_empty() || release == Release::Auto && count as usize * 2 > taken.len() {
        return;
    }
    lanes.counts.push((scope, count));
    for (one, number) in taken {
        let lane = ScopeRegion { scope, number };
        lanes.of.insert(one.class, lane);
        lanes.ends.push((lane, one.last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_problems::random::Random;

    /// Random spans: those of one region never overlap, and there are as many regions as spans overlap at most.
    #[test]
    fn regions_are_as_many_as_are_needed_at_once() {
        let mut random = Random(7);
        for _ in 0..300 {
            let needed: Vec<Needed> = (0..1 + random.below(40) as u32)
                .map(|class| {
                    let first = random.below(60);
                    let last = first + random.below(20);
                    Needed { first, last, class }
                })
                .collect();
            let mut lanes = Lanes::default();
            assign(ScopeId(0), needed.clone(), Release::LastUse, &mut lanes);
            let lane = |one: &Needed| lanes.of[&one.class];
            for (at, one) in needed.iter().enumerate() {
                for other in &needed[..at] {
                    let apart = one.last < other.first || other.last < one.first;
                    assert!(apart || lane(one) != lane(other));
                }
            }
            let at_once = |at: usize| {
                let spans = needed.iter();
                spans
                    .filter(|one| one.first <= at && at <= one.last)
                    .count()
            };
            let most = (0..80).map(at_once).max();
            assert_eq!(lanes.counts, [(ScopeId(0), most.unwrap_or(0) as u32)]);
            assert_eq!(lanes.ends.len(), needed.len());
        }
    }

    /// Where nothing is gained, nothing is emptied early.
    #[test]
    fn few_that_share_stay() {
        let span = |first, last, class| Needed { first, last, class };
        let mut lanes = Lanes::default();
        let needed = vec![span(0, 5, 0), span(1, 6, 1), span(7, 8, 2)];
        assign(ScopeId(0), needed.clone(), Release::Auto, &mut lanes);
        assert!(lanes.of.is_empty() && lanes.counts.is_empty());
        assign(ScopeId(0), needed, Release::LastUse, &mut lanes);
        assert_eq!(lanes.counts, [(ScopeId(0), 2)]);
    }
}
