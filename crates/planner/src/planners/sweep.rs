//! Placement in program order without a list of conflicts: a sweep over time that maintains the
//! free gaps, like an allocator at run time. O(n log n) for any overlaps.
//!
//! Simplifications that cost a little memory: an item with holes reserves its bytes during them,
//! and the bytes of fixed items are reserved at all times.

use super::Plan;
use super::gaps::Gaps;
use super::place::Fit;
use crate::timeline::Timeline;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Places all items in program order.
pub fn plan(timeline: &Timeline, fit: Fit) -> Plan {
    let mut gaps = gaps_around_fixed(timeline);
    let mut live = BinaryHeap::new(); // end section, start and end of its bytes
    let mut offsets = Vec::with_capacity(timeline.items.len());
    for item in &timeline.items {
        if let Some(offset) = item.fixed {
            offsets.push(offset);
            continue;
        }
        while let Some(&Reverse((end, from, to))) = live.peek()
            && end <= item.hull.start
        {
            live.pop();
            gaps.free(from, to);
        }
        let offset = gaps.take(item.size, item.alignment, fit);
        live.push(Reverse((item.hull.end, offset, offset + item.size)));
        offsets.push(offset);
    }
    Plan::new(timeline, offsets, "sweep")
}

/// The gaps around the bytes of the fixed items.
pub fn gaps_around_fixed(timeline: &Timeline) -> Gaps {
    let mut gaps = Gaps::default();
    for (start, end) in fixed_intervals(timeline) {
        gaps.take_at(start, end);
    }
    gaps
}

/// The bytes of the fixed items as disjoint intervals, lowest first.
pub fn fixed_intervals(timeline: &Timeline) -> Vec<(u64, u64)> {
    let mut fixed: Vec<(u64, u64)> = timeline
        .items
        .iter()
        .filter_map(|item| item.fixed.map(|offset| (offset, offset + item.size)))
        .collect();
    fixed.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(fixed.len());
    for (start, end) in fixed {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}
