//! `plain`: one buffer after the other, without reuse; the bytes that separate allocations take.

use super::{Plan, align_up, sweep};
use crate::Planner;
use crate::timeline::Timeline;

/// Places the items end to end in program order, around the fixed ones.
pub fn plan(timeline: &Timeline) -> Plan {
    let mut fixed = sweep::fixed_intervals(timeline).into_iter().peekable();
    let mut top = 0;
    let place = |item: &crate::timeline::Item| {
        if let Some(offset) = item.fixed {
            return offset;
        }
        let mut offset = align_up(top, item.alignment);
        while let Some((_, end)) = fixed.next_if(|&(start, _)| start < offset + item.size) {
            offset = align_up(offset.max(end), item.alignment);
        }
        top = offset + item.size;
        offset
    };
    let offsets = timeline.items.iter().map(place).collect();
    Plan::new(timeline, offsets, Planner::Plain.name())
}
