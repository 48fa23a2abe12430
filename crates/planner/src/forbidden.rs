//! Addresses that buffers must not use.

use crate::buffer::{Buffer, LiveRange};

/// Addresses that no live buffer may use, such as a hole in the memory or bytes that belong to
/// another program. They count neither towards the load nor towards the peak.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Forbidden {
    /// The first byte.
    pub start: u64,
    /// The first byte after it.
    pub end: u64,
    /// The time in which the range is forbidden; `None` for all times.
    pub during: Option<LiveRange>,
}

impl Forbidden {
    /// Forbids the bytes from `start` up to but not including `end`, at all times.
    pub fn new(start: u64, end: u64) -> Self {
        Forbidden {
            start,
            end,
            during: None,
        }
    }

    /// The same bytes, forbidden from the time `start` up to but not including `end`.
    #[must_use]
    pub fn during(self, start: u64, end: u64) -> Self {
        Forbidden {
            during: Some(LiveRange { start, end }),
            ..self
        }
    }

    /// The time in which the range is forbidden, with all times as a range.
    pub(crate) fn time(&self) -> LiveRange {
        self.during.unwrap_or(LiveRange {
            start: 0,
            end: u64::MAX,
        })
    }

    /// Whether a live buffer at `offset` would use one of the bytes while they are forbidden.
    pub(crate) fn overlaps(&self, buffer: &Buffer, offset: u64) -> bool {
        let time = self.time();
        buffer.uses().any(|(range, low, high)| {
            self.start < offset + high
                && offset + low < self.end
                && range.start < time.end
                && time.start < range.end
        })
    }
}

/// The same addresses at the same times, as ranges that are disjoint in every point of time.
///
/// Cuts time wherever the set of active ranges changes and merges the address ranges between two
/// cuts. A merged range that continues across a cut stays one. The work is the number of cuts times
/// the number of ranges active at once. Both are few, because they come from the machine and not
/// from the program.
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
    let mut open: Vec<(u64, u64, u64)> = Vec::new(); // start, end, time of the start
    for &cut in &cuts {
        let force = forbidden().filter(|(_, time)| time.start <= cut && cut < time.end);
        let now = merged(force.map(|(range, _)| (range.start, range.end)).collect());
        let mut continued = Vec::with_capacity(now.len());
        for &(start, end) in &now {
            let before = open.binary_search_by_key(&(start, end), |&(start, end, _)| (start, end));
            continued.push((start, end, before.map_or(cut, |at| open[at].2)));
        }
        for (start, end, since) in open {
            if now.binary_search(&(start, end)).is_err() {
                disjoint.push(Forbidden::new(start, end).during(since, cut));
            }
        }
        open = continued;
    }
    disjoint.sort_unstable();
    disjoint
}

/// The sorted union of intervals: those that touch or overlap become one.
fn merged(mut intervals: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    intervals.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::with_capacity(intervals.len());
    for (start, end) in intervals {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
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
