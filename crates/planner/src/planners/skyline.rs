//! Bottom-up skyline: fill the lowest place first, with the best item that fits into it in time.
//!
//! The skyline gives for each section the height up to which it is taken; a *segment* is a run of
//! sections of one height. The lowest segment takes the first item, in the given order, whose whole
//! life lies within it; where there is none, nothing will ever rest on that segment, and it rises
//! to its lower neighbour. Every item sees the segments only as often as they are split, so that no
//! pair of items is ever looked at: O(n log n) but for the search for
//! the item.
//!
//! The search for the item is a question in the plane of starts and ends, asked of `waiting`.
//!
//! Source: the best-fit heuristic for strip packing (Burke, Kendall and Whitwell, "A New Placement
//! Heuristic for the Orthogonal Stock-Cutting Problem", 2004) with the horizontal position given.
//!
//! Ranges that are forbidden at all times part the addresses into strips, which are filled one
//! after the other from the lowest; what reaches over the top of one goes to the next.
//!
//! To stay simple it gives away a little: an item with holes holds its bytes through them, and
//! nothing is placed below a fixed item while that is live, nor below a range that is forbidden at
//! times, unless everything lies below all of these.

use super::waiting::{Layout, Waiting};
use super::{Plan, align_up};
use crate::timeline::{Item, Span, Timeline};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The strips between forbidden ranges that are filled one by one, at most.
const STRIPS: usize = 8;

/// Places all items; of those that fit into the lowest segment the first in `order` goes first.
pub fn plan(timeline: &Timeline, layout: &Layout, order: &[u32]) -> Plan {
    let always = |item: &Item| item.reserved && timeline.is_always(item);
    let strips = strips(timeline, always);
    let at_times = timeline
        .items
        .iter()
        .filter(|item| item.reserved && !always(item));
    if let Some(ceiling) = at_times.filter_map(|item| item.fixed).min() {
        // Where everything stays below what is forbidden at times, there is no need to go above it.
        let plan = fill(timeline, layout, order, &strips, |item| !item.reserved);
        if plan.peak <= ceiling {
            return plan;
        }
    }
    fill(timeline, layout, order, &strips, |item| !always(item))
}

/// The free strips between what is forbidden at all times: bottom and top of each, lowest first.
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
    // The last strip is above everything, and has no end.
    let highest = forbidden.last().map_or(0, |&(_, end)| end);
    strips.push((highest, u64::MAX));
    strips
}

/// Places all items strip by strip, above those fixed ones that `floor` names.
fn fill(
    timeline: &Timeline,
    layout: &Layout,
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
    for &(bottom, top) in strips {
        let heights: Vec<u64> = floors.iter().map(|&floor| floor.max(bottom)).collect();
        let mut waiting = Waiting::new(timeline, layout, &order);
        let mut skyline = Skyline::new(&heights);
        while !waiting.is_empty() {
            let (segment, height) = skyline.lowest();
            let Some(index) = waiting.take_best_within(segment) else {
                skyline.rise(segment);
                continue;
            };
            let item = &timeline.items[index];
            let offset = align_up(height, item.alignment);
            // No segment is lower, so that what reaches the top here does so everywhere.
            above[index] = offset + item.size > top;
            if !above[index] {
                offsets[index] = offset;
                skyline.place(segment, item.hull, offset + item.size);
            }
        }
        order.retain(|&item| above[item as usize]);
        if order.is_empty() {
            break;
        }
    }
    Plan::new(timeline, offsets, "skyline")
}

/// For each section the height up to which fixed items take it. O(n log n).
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
    let mut highest = BinaryHeap::new(); // height, and the section in which it ends
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

/// A run of sections of one height; kept under its first section.
#[derive(Clone, Copy)]
struct Segment {
    height: u64,
    /// One past the last section; 0 where no segment starts.
    end: u32,
    /// Where the segment to the left starts; meaningless for the first.
    left: u32,
}

struct Skyline {
    segments: Vec<Segment>,
    /// Lowest first; entries may be out of date.
    lowest: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Skyline {
    /// The skyline with these heights.
    fn new(heights: &[u64]) -> Self {
        let empty = Segment {
            height: 0,
            end: 0,
            left: 0,
        };
        let mut skyline = Skyline {
            segments: vec![empty; heights.len()],
            lowest: BinaryHeap::new(),
        };
        let (mut left, mut start) = (0, 0);
        for run in heights.chunk_by(|a, b| a == b) {
            let end = start + run.len() as u32;
            skyline.set(
                start,
                Segment {
                    height: run[0],
                    end,
                    left,
                },
            );
            (left, start) = (start, end);
        }
        skyline
    }

    fn set(&mut self, start: u32, segment: Segment) {
        self.segments[start as usize] = segment;
        self.lowest.push(Reverse((segment.height, start)));
    }

    /// The lowest segment, the earliest of these, and its height.
    fn lowest(&mut self) -> (Span, u64) {
        loop {
            let &Reverse((height, start)) =
                self.lowest.peek().expect("the segments cover all sections");
            let segment = self.segments[start as usize];
            if segment.end != 0 && segment.height == height {
                return (
                    Span {
                        start,
                        end: segment.end,
                    },
                    height,
                );
            }
            self.lowest.pop();
        }
    }

    /// Raises the sections of `hull`, all of them in `segment`, to `height`.
    fn place(&mut self, segment: Span, hull: Span, height: u64) {
        let Segment {
            height: old, left, ..
        } = self.segments[segment.start as usize];
        let mut left = left;
        if segment.start < hull.start {
            self.segments[segment.start as usize].end = hull.start;
            left = segment.start;
        }
        self.set(
            hull.start,
            Segment {
                height,
                end: hull.end,
                left,
            },
        );
        left = hull.start;
        if hull.end < segment.end {
            self.set(
                hull.end,
                Segment {
                    height: old,
                    end: segment.end,
                    left,
                },
            );
            left = hull.end;
        }
        if let Some(right) = self.segments.get_mut(segment.end as usize) {
            right.left = left;
        }
    }

    /// Raises `segment` to its lower neighbour and joins it with neighbours of that height.
    fn rise(&mut self, segment: Span) {
        let Segment { left, .. } = self.segments[segment.start as usize];
        let before = (segment.start > 0).then(|| self.segments[left as usize].height);
        let after = self
            .segments
            .get(segment.end as usize)
            .map(|right| right.height);
        let Some(height) = before.into_iter().chain(after).min() else {
            return;
        };
        let (mut start, mut end, mut left) = (segment.start, segment.end, left);
        if before == Some(height) {
            self.segments[start as usize].end = 0;
            start = left;
            left = self.segments[start as usize].left;
        }
        if after == Some(height) {
            let right = self.segments[end as usize].end;
            self.segments[end as usize].end = 0;
            end = right;
        }
        self.set(start, Segment { height, end, left });
        if let Some(right) = self.segments.get_mut(end as usize) {
            right.left = start;
        }
    }
}
