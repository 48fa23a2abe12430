//! The planners' view of the problem: flat, in program order, with time compressed to sections.
//!
//! The set of live buffers reaches a new maximum only where a start follows an end. The points in
//! time between two such positions form one *section*. Two buffers are live at once exactly if they
//! share a section. Sections are the maximal cliques of the interval graph; MiniMalloc has the same
//! definition. Holes that contain no section vanish.

use crate::{Buffer, Problem, forbidden};

/// Half-open range of sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Span {
    pub start: u32,
    pub end: u32,
}

/// An active buffer, which has bytes and is live at some time, or a forbidden range, represented as
/// a fixed buffer.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Position in `problem.buffers`; `u32::MAX` for a forbidden range.
    pub buffer: u32,
    /// Whether this is a forbidden range: it counts neither to loads nor to the peak.
    pub reserved: bool,
    pub size: u64,
    pub alignment: u64,
    pub fixed: Option<u64>,
    /// From the first section to the last, holes included.
    pub hull: Span,
    /// The item's spans in `Timeline::spans`.
    first_span: u32,
    last_span: u32,
}

/// The position of a forbidden range.
const RESERVED: u32 = u32::MAX;

/// The active buffers of a problem and its forbidden ranges, sorted by start. If there are no
/// active buffers, there are no items.
#[derive(Debug)]
pub(crate) struct Timeline {
    /// Sorted by start, then by position in the problem.
    pub items: Vec<Item>,
    /// Number of sections.
    pub sections: u32,
    /// For each section a point in time at which all its items are live.
    pub times: Vec<u64>,
    spans: Vec<Span>,
}

impl Timeline {
    pub fn new(problem: &Problem) -> Self {
        let mut active: Vec<(u32, &Buffer)> = (0u32..)
            .zip(&problem.buffers)
            .filter(|(_, buffer)| buffer.is_active())
            .collect();
        let mut reserved = Vec::new();
        if !active.is_empty() {
            reserved = reserved_buffers(problem);
        }
        active.extend(reserved.iter().map(|buffer| (RESERVED, buffer)));
        active.sort_by_key(|&(position, buffer)| (buffer.live[0].start, position));

        let (raw, times) = compress(&active);
        let mut items = Vec::with_capacity(active.len());
        let mut spans: Vec<Span> = Vec::with_capacity(raw.len());
        let mut raw = raw.into_iter();
        for (position, buffer) in active {
            let first_span = spans.len();
            for span in raw.by_ref().take(buffer.live.len()) {
                match spans[first_span..].last_mut() {
                    Some(previous) if previous.end == span.start => previous.end = span.end,
                    _ => spans.push(span),
                }
            }
            items.push(Item {
                buffer: position,
                reserved: position == RESERVED,
                size: buffer.size,
                alignment: buffer.alignment,
                fixed: buffer.fixed_offset,
                hull: Span {
                    start: spans[first_span].start,
                    end: spans[spans.len() - 1].end,
                },
                first_span: first_span as u32,
                last_span: spans.len() as u32,
            });
        }
        Timeline {
            items,
            sections: times.len() as u32,
            times,
            spans,
        }
    }

    /// Splits time where no item is live across. Each part is a timeline of its own, and the items
    /// of the parts, concatenated, are those of this timeline. Empty if there is only one part.
    pub fn parts(&self) -> Vec<Timeline> {
        // Items are sorted by start: a part begins if an item starts after all before it have
        // ended.
        let mut starts = Vec::new();
        let mut end = 0;
        for (index, item) in self.items.iter().enumerate() {
            if item.hull.start >= end {
                starts.push(index);
            }
            end = end.max(item.hull.end);
        }
        if starts.len() < 2 {
            return Vec::new();
        }
        let ends = starts.iter().copied().skip(1).chain([self.items.len()]);
        let ranges = starts.iter().copied().zip(ends);
        ranges
            .map(|(start, end)| self.part(&self.items[start..end]))
            .collect()
    }

    /// The timeline of `items` alone, which share no section with any other.
    fn part(&self, items: &[Item]) -> Timeline {
        let start = items.iter().map(|item| item.hull.start).min().unwrap_or(0);
        let end = items
            .iter()
            .map(|item| item.hull.end)
            .max()
            .unwrap_or(start);
        let moved = |span: Span| Span {
            start: span.start - start,
            end: span.end - start,
        };
        let mut spans = Vec::with_capacity(items.len());
        let items = items.iter().map(|item| {
            let first_span = spans.len() as u32;
            spans.extend(self.spans(item).iter().map(|&span| moved(span)));
            Item {
                hull: moved(item.hull),
                first_span,
                last_span: spans.len() as u32,
                ..item.clone()
            }
        });
        Timeline {
            items: items.collect(),
            sections: end - start,
            times: self.times[start as usize..end as usize].to_vec(),
            spans,
        }
    }

    /// The spans of sections in which `item` is live: sorted, with a hole between any two.
    pub fn spans(&self, item: &Item) -> &[Span] {
        &self.spans[item.first_span as usize..item.last_span as usize]
    }

    /// Whether `item` is live in all sections.
    pub fn is_always(&self, item: &Item) -> bool {
        let all = Span {
            start: 0,
            end: self.sections,
        };
        self.spans(item) == [all]
    }

    /// For each section the sum of `weight` over the items live in it, without forbidden ranges.
    /// `weight` receives the index and the item.
    pub fn sums(&self, weight: impl Fn(usize, &Item) -> u64) -> Vec<u64> {
        // Differences may be negative: wrapping addition restores each prefix sum to its value.
        let mut sums = vec![0u64; self.sections as usize + 1];
        let items = self.items.iter().enumerate();
        for (index, item) in items.filter(|(_, item)| !item.reserved) {
            let weight = weight(index, item);
            for span in self.spans(item) {
                let (start, end) = (span.start as usize, span.end as usize);
                sums[start] = sums[start].wrapping_add(weight);
                sums[end] = sums[end].wrapping_sub(weight);
            }
        }
        sums.pop();
        let mut sum = 0u64;
        for value in &mut sums {
            sum = sum.wrapping_add(*value);
            *value = sum;
        }
        sums
    }

    /// An upper bound on the number of conflicting pairs: a pair that conflicts again after a hole
    /// counts again.
    pub fn conflicts(&self) -> u64 {
        // A span conflicts with all spans that started before it ends, except those that ended
        // before it starts. Each pair counts once, at the later start.
        let mut starting = vec![0u32; self.sections as usize + 1];
        let mut ending = vec![0u32; self.sections as usize + 1];
        for span in &self.spans {
            starting[span.start as usize] += 1;
            ending[span.end as usize] += 1;
        }
        let (mut live, mut pairs) = (0u64, 0u64);
        for (started, ended) in starting.into_iter().zip(ending) {
            live -= u64::from(ended);
            for _ in 0..started {
                pairs += live;
                live += 1;
            }
        }
        pairs
    }
}

/// The forbidden ranges as fixed buffers that never overlap.
fn reserved_buffers(problem: &Problem) -> Vec<Buffer> {
    forbidden::disjoint(&problem.forbidden)
        .iter()
        .map(|range| {
            let time = range.time();
            Buffer::new(0, range.end - range.start, [(time.start, time.end)]).fixed_at(range.start)
        })
        .collect()
}

/// Compresses time: the live ranges of the buffers as spans, in order, and for each section its
/// last start, which comes before any end.
fn compress(active: &[(u32, &Buffer)]) -> (Vec<Span>, Vec<u64>) {
    let mut events = Vec::new();
    let mut count = 0u32;
    for (_, buffer) in active {
        for range in &buffer.live {
            events.push((range.start, true, count));
            events.push((range.end, false, count));
            count += 1;
        }
    }
    events.sort_unstable(); // at one point in time ends come before starts
    let mut spans = vec![Span { start: 0, end: 0 }; count as usize];
    let mut times = Vec::new();
    let mut ended = true;
    for (time, starts, index) in events {
        let span = &mut spans[index as usize];
        if starts {
            if ended {
                times.push(time);
            }
            ended = false;
            let section = times.len() - 1;
            times[section] = time;
            span.start = section as u32;
        } else {
            ended = true;
            span.end = times.len() as u32;
        }
    }
    (spans, times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Forbidden;

    fn timeline(buffers: Vec<Buffer>) -> Timeline {
        Timeline::new(&Problem::new(buffers).expect("a valid problem"))
    }

    #[test]
    fn starts_without_an_end_between_them_share_a_section() {
        let line = timeline(vec![
            Buffer::new(0, 8, [(0, 9)]),
            Buffer::new(1, 8, [(3, 9)]),
            Buffer::new(2, 8, [(9, 10)]),
        ]);
        assert_eq!(line.sections, 2);
        let spans: Vec<Span> = line.items.iter().map(|item| item.hull).collect();
        assert_eq!(
            spans,
            [
                Span { start: 0, end: 1 },
                Span { start: 0, end: 1 },
                Span { start: 1, end: 2 }
            ]
        );
    }

    #[test]
    fn a_hole_without_a_section_vanishes() {
        let line = timeline(vec![
            Buffer::new(0, 8, [(0, 2), (5, 7)]),
            Buffer::new(1, 8, [(2, 6)]),
        ]);
        assert_eq!(line.spans(&line.items[0]).len(), 1);
        let line = timeline(vec![
            Buffer::new(0, 8, [(0, 2), (5, 7)]),
            Buffer::new(1, 8, [(2, 5)]),
        ]);
        assert_eq!(line.spans(&line.items[0]).len(), 2);
    }

    #[test]
    fn items_come_in_program_order() {
        let line = timeline(vec![
            Buffer::new(7, 8, [(4, 5)]),
            Buffer::new(3, 8, [(1, 2)]),
            Buffer::new(5, 0, [(0, 1)]),
        ]);
        let order: Vec<u32> = line.items.iter().map(|item| item.buffer).collect();
        assert_eq!(order, [1, 0]);
    }

    #[test]
    fn forbidden_ranges_are_items_that_do_not_count() {
        let problem = Problem::new(vec![Buffer::new(0, 8, [(1, 4)])])
            .expect("valid")
            .with_forbidden(Forbidden::new(10, 14))
            .with_forbidden(Forbidden::new(0, 9).during(2, 3));
        let line = Timeline::new(&problem);
        let items: Vec<(u32, bool, u64)> = line
            .items
            .iter()
            .map(|item| (item.buffer, item.reserved, item.size))
            .collect();
        let expected = [(RESERVED, true, 4), (0, false, 8), (RESERVED, true, 9)];
        assert_eq!(items, expected);
        assert_eq!(line.sums(|_, item| item.size), [8]);
        assert_eq!(line.conflicts(), 3);
        let empty = Problem::default().with_forbidden(Forbidden::new(10, 14));
        assert_eq!(Timeline::new(&empty).sections, 0);
    }

    #[test]
    fn conflicts_count_overlapping_pairs() {
        let line = timeline(vec![
            Buffer::new(0, 8, [(0, 4)]),
            Buffer::new(1, 8, [(1, 3)]),
            Buffer::new(2, 8, [(3, 5)]),
        ]);
        assert_eq!(line.conflicts(), 2);
    }
}
