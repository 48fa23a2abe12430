//! Addresses that no buffer may use.

use crate::buffer::{Buffer, LiveRange};

/// Addresses that no buffer may use while it is live, such as a hole in the memory, or bytes that
/// belong to somebody else. They count neither to the load nor to the peak.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Forbidden {
    /// The first byte.
    pub start: u64,
    /// The first byte after it.
    pub end: u64,
    /// When, where it is not at all times.
    pub during: Option<LiveRange>,
}

impl Forbidden {
    /// The bytes from `start` up to `end`, which is not one of them, at all times.
    pub fn new(start: u64, end: u64) -> Self {
        Forbidden {
            start,
            end,
            during: None,
        }
    }

    /// The same bytes from the time `start` up to `end`, which is not part of it.
    #[must_use]
    pub fn during(self, start: u64, end: u64) -> Self {
        Forbidden {
            during: Some(LiveRange { start, end }),
            ..self
        }
    }

    /// When; every time that a live range may hold where it is at all times.
    pub(crate) fn time(&self) -> LiveRange {
        self.during.unwrap_or(LiveRange {
            start: 0,
            end: u64::MAX,
        })
    }

    /// Whether a live buffer at `offset` would use one of the bytes.
    pub(crate) fn holds_some_of(&self, buffer: &Buffer, offset: u64) -> bool {
        let time = self.time();
        self.start < offset + buffer.size
            && offset < self.end
            && buffer
                .live
                .iter()
                .any(|range| range.start < time.end && time.start < range.end)
    }
}

/// The same addresses at the same times, as ranges that share no byte at any time.
///
/// Where the set of ranges in force changes, time is cut; the ranges between two cuts are melted,
/// and a melted range that goes on after a cut stays one. The work is cuts times ranges in force
/// at once, both of which are few: they come from the machine and not from the program.
pub(crate) fn disjoint(forbidden: &[Forbidden]) -> Vec<Forbidden> {
    let forbidden = || {
        let ranges = forbidden.iter().map(|range| (range, range.time()));
        ranges.filter(|(range, time)| range.start < range.end && time.start < time.end)
    };
    let mut cuts: Vec<u64> = forbidden()
        .flat_map(|(_, time)| [time.start, time.end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut disjoint: Vec<Forbidden> = Vec::new();
    let mut open: Vec<(u64, u64, u64)> = Vec::new(); // start, end, since when
    for &cut in &cuts {
        let force = forbidden().filter(|(_, time)| time.start <= cut && cut < time.end);
        let now = melted(force.map(|(range, _)| (range.start, range.end)).collect());
        let mut going_on = Vec::with_capacity(now.len());
        for &(start, end) in &now {
            let before = open.binary_search_by_key(&(start, end), |&(start, end, _)| (start, end));
            going_on.push((start, end, before.map_or(cut, |at| open[at].2)));
        }
        for (start, end, since) in open {
            if now.binary_search(&(start, end)).is_err() {
                disjoint.push(Forbidden::new(start, end).during(since, cut));
            }
        }
        open = going_on;
    }
    disjoint.sort_unstable();
    disjoint
}

/// Sorted intervals with those that touch or overlap as one.
fn melted(mut intervals: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    intervals.sort_unstable();
    let mut melted: Vec<(u64, u64)> = Vec::with_capacity(intervals.len());
    for (start, end) in intervals {
        match melted.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => melted.push((start, end)),
        }
    }
    melted
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALWAYS: u64 = u64::MAX;

    #[test]
    fn ranges_that_touch_or_overlap_become_one() {
        let ranges = [(64, 128), (0, 10), (100, 200), (200, 201), (300, 300)];
        let ranges = ranges.map(|(start, end)| Forbidden::new(start, end));
        assert_eq!(
            disjoint(&ranges),
            [
                Forbidden::new(0, 10).during(0, ALWAYS),
                Forbidden::new(64, 201).during(0, ALWAYS)
            ]
        );
    }

    #[test]
    fn time_is_cut_where_ranges_come_and_go() {
        let ranges = [
            Forbidden::new(0, 10),
            Forbidden::new(5, 20).during(3, 6),
            Forbidden::new(50, 60).during(2, 4),
            Forbidden::new(50, 60).during(4, 9),
        ];
        assert_eq!(
            disjoint(&ranges),
            [
                Forbidden::new(0, 10).during(0, 3),
                Forbidden::new(0, 10).during(6, ALWAYS),
                Forbidden::new(0, 20).during(3, 6),
                Forbidden::new(50, 60).during(2, 9),
            ]
        );
    }

    #[test]
    fn nothing_is_forbidden_by_nothing() {
        assert_eq!(disjoint(&[]), []);
        assert_eq!(disjoint(&[Forbidden::new(9, 3)]), []);
    }
}
