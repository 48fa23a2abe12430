//! The skyline: the height to which each section is filled.

use crate::timeline::Span;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A run of sections of one height, stored at its first section.
#[derive(Clone, Copy)]
pub struct Segment {
    pub height: u64,
    /// One past the last section; 0 if no segment starts here.
    end: u32,
    /// The start of the segment to the left; meaningless for the first.
    left: u32,
    /// Whether no item fits until the segment becomes wider.
    pub closed: bool,
}

pub struct Segments {
    segments: Vec<Segment>,
    /// Heights and starts of segments, lowest first; entries may be stale.
    lowest: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Segments {
    /// The skyline at the bottom.
    pub fn new(sections: u32) -> Self {
        let none = Segment {
            height: 0,
            end: 0,
            left: 0,
            closed: false,
        };
        let mut new = Segments {
            segments: vec![none; sections as usize],
            lowest: BinaryHeap::new(),
        };
        new.set(
            0,
            Segment {
                end: sections,
                ..none
            },
        );
        new
    }

    fn set(&mut self, start: u32, segment: Segment) {
        self.segments[start as usize] = segment;
        if let Some(right) = self.segments.get_mut(segment.end as usize) {
            right.left = start;
        }
        self.lowest.push(Reverse((segment.height, start)));
    }

    /// The lowest segment, and the earliest of equals.
    pub fn lowest(&mut self) -> Option<(Span, Segment)> {
        while let Some(&Reverse((height, start))) = self.lowest.peek() {
            let segment = self.segments[start as usize];
            if segment.end != 0 && segment.height == height {
                let span = Span {
                    start,
                    end: segment.end,
                };
                return Some((span, segment));
            }
            self.lowest.pop();
        }
        None
    }

    /// The segments to the left and to the right of a segment, with their starts.
    fn neighbours(&self, span: Span) -> [Option<(u32, Segment)>; 2] {
        let at = |start: u32| Some((start, *self.segments.get(start as usize)?));
        let left = self.segments[span.start as usize].left;
        [(span.start > 0).then(|| at(left)).flatten(), at(span.end)]
    }

    /// Raises the sections of `inner`, all of them in the segment `outer`, to `top`.
    pub fn fill(&mut self, outer: Span, inner: Span, top: u64) {
        let segment = self.segments[outer.start as usize];
        debug_assert!(outer.start <= inner.start && inner.end <= outer.end);
        let mut left = segment.left;
        if outer.start < inner.start {
            let end = inner.start;
            self.set(outer.start, Segment { end, ..segment });
            left = outer.start;
        }
        if inner.end < outer.end {
            let left = inner.start;
            self.set(inner.end, Segment { left, ..segment });
        }
        let raised = Segment {
            height: top,
            end: inner.end,
            left,
            closed: false,
        };
        self.set(inner.start, raised);
        self.join(inner);
    }

    /// Closes a segment and raises it to its lower neighbour, or to `ceiling` if that is lower.
    pub fn rise(&mut self, span: Span, ceiling: Option<u64>) {
        let neighbours = self.neighbours(span).into_iter().flatten();
        let heights = neighbours.map(|(_, segment)| segment.height);
        let Some(height) = heights.chain(ceiling).min() else {
            // The segment is all of the skyline: nothing can fit any more.
            self.lowest.clear();
            return;
        };
        let segment = self.segments[span.start as usize];
        let risen = Segment {
            height,
            closed: true,
            ..segment
        };
        self.set(span.start, risen);
        self.join(span);
    }

    /// Merges a segment with neighbours of its height.
    fn join(&mut self, span: Span) {
        let segment = self.segments[span.start as usize];
        let [left, right] = self
            .neighbours(span)
            .map(|other| other.filter(|(_, other)| other.height == segment.height));
        if left.is_none() && right.is_none() {
            return;
        }
        let mut joined = Segment {
            closed: false,
            ..segment
        };
        let mut start = span.start;
        if let Some((from, right)) = right {
            joined.end = right.end;
            self.segments[from as usize].end = 0;
        }
        if let Some((from, left)) = left {
            self.segments[start as usize].end = 0;
            joined.left = left.left;
            start = from;
        }
        self.set(start, joined);
    }
}
