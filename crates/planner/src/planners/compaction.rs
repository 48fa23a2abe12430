//! Compaction: lowers every item of a plan, the lowest first, until it lies on another item or at
//! the bottom.
//!
//! Skylines reserve the bytes of an item during its holes and leave the bytes below fixed items
//! unused. Compaction recovers part of these. No item rises. O(n log n), with a range maximum tree
//! over the sections.

use super::{Plan, align_up};
use crate::timeline::{Span, Timeline};

/// Returns the compacted plan. A plan without holes and fixed offsets stays the same.
pub fn compact(timeline: &Timeline, plan: Plan) -> Plan {
    let loose =
        |item: &crate::timeline::Item| item.fixed.is_some() || timeline.spans(item).len() > 1;
    if !timeline.items.iter().any(loose) {
        return plan;
    }
    let mut order: Vec<u32> = (0..plan.offsets.len() as u32).collect();
    order.sort_unstable_by_key(|&index| (plan.offsets[index as usize], index));
    let mut tops = SectionHeights::new(timeline.sections);
    let mut offsets = plan.offsets;
    for index in order {
        let item = &timeline.items[index as usize];
        let spans = timeline.spans(item);
        let offset = &mut offsets[index as usize];
        if item.fixed.is_none() {
            let top = spans.iter().map(|&span| tops.highest(span)).max();
            *offset = align_up(top.unwrap_or(0), item.alignment).min(*offset);
        }
        for &span in spans {
            tops.raise(span, *offset + item.size);
        }
    }
    Plan::new(timeline, offsets, plan.planner)
}

/// The height of each section, which only grows.
struct SectionHeights {
    leaves: usize,
    /// For each node the highest of its sections.
    most: Vec<u64>,
    /// For each node a lower bound on the height of all its sections.
    all: Vec<u64>,
}

impl SectionHeights {
    fn new(sections: u32) -> Self {
        let leaves = (sections as usize).next_power_of_two();
        SectionHeights {
            leaves,
            most: vec![0; 2 * leaves],
            all: vec![0; 2 * leaves],
        }
    }

    /// The nodes that make up a span.
    fn cover(&self, span: Span) -> impl Iterator<Item = usize> + use<> {
        let (mut left, mut right) = (
            self.leaves + span.start as usize,
            self.leaves + span.end as usize,
        );
        std::iter::from_fn(move || {
            if left >= right {
                return None;
            }
            let mut nodes = [None, None];
            if left % 2 == 1 {
                nodes[0] = Some(left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                nodes[1] = Some(right);
            }
            left /= 2;
            right /= 2;
            Some(nodes)
        })
        .flatten()
        .flatten()
    }

    /// The ancestors of a node, the nearest first.
    fn above(node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node / 2), |&node| Some(node / 2)).take_while(|&node| node > 0)
    }

    fn highest(&self, span: Span) -> u64 {
        self.cover(span)
            .map(|node| {
                let above = SectionHeights::above(node).map(|node| self.all[node]).max();
                self.most[node].max(above.unwrap_or(0))
            })
            .max()
            .unwrap_or(0)
    }

    /// Raises every section of a span to at least `height`.
    fn raise(&mut self, span: Span, height: u64) {
        for node in self.cover(span) {
            self.all[node] = self.all[node].max(height);
            self.most[node] = self.most[node].max(height);
            for node in SectionHeights::above(node) {
                self.most[node] = self.most[node].max(height);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    #[test]
    fn items_sink_into_holes_and_below_fixed_ones() {
        let buffers = vec![
            Buffer::new(0, 10, [(0, 2), (6, 8)]),
            Buffer::new(1, 10, [(2, 6)]),
            Buffer::new(2, 10, [(2, 8)]).fixed_at(100),
            Buffer::new(3, 8, [(3, 9)]),
        ];
        let timeline = Timeline::new(&Problem::new(buffers).expect("valid"));
        let plan = Plan::new(&timeline, vec![0, 30, 100, 50], "test");
        assert_eq!(compact(&timeline, plan).offsets, [0, 0, 100, 10]);
    }

    #[test]
    fn heights_agree_with_a_scan_of_all_sections() {
        let random = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let sections = 37u32;
        let mut tops = SectionHeights::new(sections);
        let mut heights = vec![0u64; sections as usize];
        for turn in 0..500 {
            let start = random(turn) as u32 % sections;
            let end = start + 1 + random(turn + 1000) as u32 % (sections - start);
            let range = start as usize..end as usize;
            let expected = heights[range.clone()].iter().copied().max();
            assert_eq!(Some(tops.highest(Span { start, end })), expected);
            let height = random(turn + 2000) % 1000;
            tops.raise(Span { start, end }, height);
            for value in &mut heights[range] {
                *value = height.max(*value);
            }
        }
    }
}
