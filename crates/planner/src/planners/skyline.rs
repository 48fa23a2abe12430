//! Bottom-up skyline placement: fills the lowest segment first, with the best item that fits into
//! it in time.
//!
//! The skyline is the height to which each section is filled. A *segment* is a run of sections of
//! one height. A segment lower than its neighbours takes the first item, in the given order, whose
//! live range lies within it. If there is none, no item can ever lie on that segment, and it rises
//! to its lower neighbour. Each item sees the segments only as often as they are split, and pairs
//! of items are never compared: O(n log n) except for the search for the item, which `unplaced`
//! does.
//!
//! The source takes the lowest of all segments next. Any segment lower than its neighbours gives
//! the same plan, because no item fits into two of them. So the next segment is one nearby, whose
//! items are in the cache, and no heap is needed.
//!
//! Source: the best-fit heuristic for strip packing (Burke, Kendall and Whitwell, "A New Placement
//! Heuristic for the Orthogonal Stock-Cutting Problem", 2004) with given horizontal positions.
//!
//! Ranges that are forbidden at all times divide the addresses into strips, which are filled one
//! after the other from the lowest. An item that ends above a strip goes to the next one.
//!
//! Simplifications that cost a little memory: an item with holes reserves its bytes during them.
//! Nothing is placed below a live fixed item, nor below a range that is forbidden at times, unless
//! all items lie below all of these ranges.

use super::unplaced::{FirstItems, Unplaced};
use super::{Plan, align_up, common};
use crate::timeline::{Item, Span, Timeline};
use std::collections::BinaryHeap;

/// The most strips between forbidden ranges.
const STRIPS: usize = 8;

/// Places all items. Of those that fit into a segment, the first in `order` goes first.
pub fn plan(timeline: &Timeline, layout: &FirstItems, order: &[u32]) -> Plan {
    let always = |item: &Item| item.reserved && timeline.is_always(item);
    let strips = strips(timeline, always);
    let at_times = timeline
        .items
        .iter()
        .filter(|item| item.reserved && !always(item));
    if let Some(ceiling) = at_times.filter_map(|item| item.fixed).min() {
        // If all items stay below the ranges that are forbidden at times, they need not go above
        // them.
        let plan = fill(timeline, layout, order, &strips, |item| !item.reserved);
        if plan.peak <= ceiling {
            return plan;
        }
    }
    fill(timeline, layout, order, &strips, |item| !always(item))
}

/// The free strips between ranges that are forbidden at all times: bottom and top of each, lowest
/// first.
fn strips(timeline: &Timeline, always: impl Fn(&Item) -> bool) -> Vec<(u64, u64)> {
    let forbidden = timeline.items.iter().filter(|item| always(item));
    let mut forbidden: Vec<(u64, u64)> = forbidden
        .filter_map(|item| item.fixed.map(|start| (start, start + item.size)))
        .collect();
    forbidden.sort_unstable();
    let mut strips = Vec::new();
    let mut bottom = 0;
    for &(start, end) in forbidden.iter().take(STRIPS - 1) {
        strips.push((bottom, start));
        bottom = end;
    }
    // The last strip is above all ranges and has no end.
    let highest = forbidden.last().map_or(0, |&(_, end)| end);
    strips.push((highest, u64::MAX));
    strips
}

/// Places all items strip by strip, above the fixed items that satisfy `floor`.
fn fill(
    timeline: &Timeline,
    layout: &FirstItems,
    order: &[u32],
    strips: &[(u64, u64)],
    floor: impl Fn(&Item) -> bool,
) -> Plan {
    let mut offsets: Vec<u64> = timeline
        .items
        .iter()
        .map(|item| item.fixed.unwrap_or(0))
        .collect();
    let floors = floors(timeline, floor);
    let mut order = order.to_vec();
    let mut above = vec![false; offsets.len()];
    let movable = timeline.items.iter().filter(|item| item.fixed.is_none());
    let alignment = common(movable.map(|item| item.alignment));
    for &(bottom, top) in strips {
        let heights: Vec<u64> = floors.iter().map(|&floor| floor.max(bottom)).collect();
        let mut unplaced = Unplaced::new(timeline, layout, &order);
        let mut skyline = Skyline::new(&heights, alignment);
        let mut at = 0;
        while !unplaced.is_empty() {
            let (segment, height) = skyline.valley(at);
            let Some(index) = unplaced.take_best_within(segment) else {
                at = skyline.rise(segment);
                continue;
            };
            let item = &timeline.items[index];
            let offset = align_up(height, item.alignment);
            // The item fits nowhere else, and this segment only rises.
            above[index] = offset + item.size > top;
            if !above[index] {
                offsets[index] = offset;
                at = skyline.place(segment, item.hull, offset + item.size);
            }
        }
        order.retain(|&item| above[item as usize]);
        if order.is_empty() {
            break;
        }
    }
    Plan::new(timeline, offsets, "skyline")
}

/// For each section the height of the fixed items that satisfy `floor`. O(n log n).
fn floors(timeline: &Timeline, floor: impl Fn(&Item) -> bool) -> Vec<u64> {
    let fixed = timeline.items.iter().filter(|item| floor(item));
    let mut starting: Vec<(u32, u64, u32)> = fixed
        .filter_map(|item| {
            let end = item.fixed? + item.size;
            Some((item.hull.start, end, item.hull.end))
        })
        .collect();
    starting.sort_unstable();
    let mut starting = starting.into_iter().peekable();
    let mut highest = BinaryHeap::new(); // height, end section
    (0..timeline.sections)
        .map(|section| {
            while let Some((_, height, end)) = starting.next_if(|&(start, _, _)| start <= section) {
                highest.push((height, end));
            }
            while highest.peek().is_some_and(|&(_, end)| end <= section) {
                highest.pop();
            }
            highest.peek().map_or(0, |&(height, _)| height)
        })
        .collect()
}

/// The left neighbour of the first segment.
const NONE: u32 = u32::MAX;

/// A run of sections of one height, stored at its first section.
#[derive(Clone, Copy)]
struct Segment {
    height: u64,
    /// One past the last section.
    end: u32,
    /// The start of the segment to the left.
    left: u32,
}

struct Skyline {
    segments: Vec<Segment>,
    /// Tops are rounded up to the least alignment of the items. It costs nothing, and more
    /// neighbours are equally high.
    alignment: u64,
}

impl Skyline {
    /// The skyline with these heights.
    fn new(heights: &[u64], alignment: u64) -> Self {
        let empty = Segment {
            height: 0,
            end: 0,
            left: NONE,
        };
        let mut skyline = Skyline {
            segments: vec![empty; heights.len()],
            alignment,
        };
        let (mut left, mut start) = (NONE, 0);
        for run in heights.chunk_by(|a, b| a == b) {
            let end = start + run.len() as u32;
            skyline.segments[start as usize] = Segment {
                height: run[0],
                end,
                left,
            };
            (left, start) = (start, end);
        }
        skyline
    }

    /// The heights of the neighbours of the segment that starts at `start`; `u64::MAX` at both
    /// ends.
    fn walls(&self, start: u32) -> (u64, u64) {
        let segment = self.segments[start as usize];
        let left = self.segments.get(segment.left as usize);
        let right = self.segments.get(segment.end as usize);
        let height = |segment: Option<&Segment>| segment.map_or(u64::MAX, |segment| segment.height);
        (height(left), height(right))
    }

    /// A segment that is no higher than its neighbours, reached downhill from the segment at
    /// `start`, and its height.
    fn valley(&self, mut start: u32) -> (Span, u64) {
        loop {
            let Segment { height, end, left } = self.segments[start as usize];
            let (left_wall, right_wall) = self.walls(start);
            if left_wall < height {
                start = left;
            } else if right_wall < height {
                start = end;
            } else {
                return (Span { start, end }, height);
            }
        }
    }

    /// Raises the sections of `hull`, all of them in `segment`, to `top`. Returns the start of a
    /// segment nearby.
    fn place(&mut self, segment: Span, hull: Span, top: u64) -> u32 {
        let top = align_up(top, self.alignment);
        let Segment { height, left, .. } = self.segments[segment.start as usize];
        let (left_wall, right_wall) = self.walls(segment.start);
        let mut raised = Segment {
            height: top,
            end: hull.end,
            left,
        };
        let mut start = hull.start;
        let mut near = start;
        if segment.start < hull.start {
            self.segments[segment.start as usize].end = hull.start;
            raised.left = segment.start;
            near = segment.start;
        } else if left_wall == top {
            start = left;
            raised.left = self.segments[left as usize].left;
            near = start;
        }
        let mut follower = hull.end;
        if hull.end < segment.end {
            self.segments[hull.end as usize] = Segment {
                height,
                end: segment.end,
                left: start,
            };
            if let Some(right) = self.segments.get_mut(segment.end as usize) {
                right.left = hull.end;
            }
            if segment.start == hull.start {
                near = hull.end;
            }
        } else if right_wall == top {
            raised.end = self.segments[segment.end as usize].end;
            follower = raised.end;
        }
        self.segments[start as usize] = raised;
        if let Some(right) = self.segments.get_mut(follower as usize) {
            right.left = start;
        }
        near
    }

    /// Raises `segment` to its lower neighbour and merges it with neighbours of that height.
    /// Returns the start of the merged segment.
    fn rise(&mut self, segment: Span) -> u32 {
        let (left_wall, right_wall) = self.walls(segment.start);
        let height = left_wall.min(right_wall);
        if height == u64::MAX {
            return segment.start; // the segment is the whole skyline
        }
        let mut start = segment.start;
        let mut risen = Segment {
            height,
            ..self.segments[start as usize]
        };
        if left_wall == height {
            start = risen.left;
            risen.left = self.segments[start as usize].left;
        }
        if right_wall == height {
            risen.end = self.segments[segment.end as usize].end;
        }
        self.segments[start as usize] = risen;
        if let Some(right) = self.segments.get_mut(risen.end as usize) {
            right.left = start;
        }
        start
    }
}
