//! What is live or used in each segment, to be asked for many owners.

use crate::{
    distinct::Distinct,
    function::{Function, SegmentId, StepIndex, ValueId},
    live::Live,
};
use smallvec::SmallVec;
use std::{cmp::Reverse, ops::Range};

/// A value in a segment: its group, the last step that uses it.
type Entry = (ValueId, Reverse<Option<StepIndex>>, ValueId);

/// The values of each segment.
pub struct Present {
    /// By group; those that are used last come first.
    values: Vec<Vec<Entry>>,
    /// Those that are live at the start.
    entering: Vec<Vec<ValueId>>,
    /// The segments that are looked at now.
    segments: SmallVec<[SegmentId; 4]>,
    /// For each value, when it was last come across, and which of these it is live at the start of.
    marks: Vec<(u32, u64)>,
    now: u32,
}

impl Present {
    /// Of a function.
    pub fn of(function: &Function, live: &Live, distinct: &Distinct<'_>) -> Self {
        let count = function.segments.len();
        let (mut values, mut entering) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for value in (0..function.values.len()).map(ValueId::new) {
            for (segment, enters, last) in live.segments(value) {
                values[segment.index()].push((distinct.group(value), Reverse(last), value));
                if enters {
                    entering[segment.index()].push(value);
                }
            }
        }
        for values in &mut values {
            values.sort_unstable();
        }
        Self {
            values,
            entering,
            segments: SmallVec::new(),
            marks: vec![(0, 0); function.values.len()],
            now: 0,
        }
    }

    /// The places of the values of a segment that are of one group; those that are used last come first.
    pub fn group(&self, segment: SegmentId, group: ValueId) -> Range<usize> {
        let values = &self.values[segment.index()];
        let first = values.partition_point(|(other, ..)| *other < group);
        let behind = values[first..].partition_point(|(other, ..)| *other == group);
        first..first + behind
    }

    /// The value at a place, and the last step that uses it.
    pub fn value(&self, segment: SegmentId, at: usize) -> (ValueId, Option<StepIndex>) {
        let (_, Reverse(last), value) = self.values[segment.index()][at];
        (value, last)
    }

    /// From now on, these segments are looked at.
    pub fn look_at(&mut self, segments: impl Iterator<Item = SegmentId>) {
        self.segments.clear();
        self.now += 1;
        for segment in segments.take(64) {
            let bit = 1 << self.segments.len();
            self.segments.push(segment);
            for value in &self.entering[segment.index()] {
                let mark = &mut self.marks[value.index()];
                *mark = if mark.0 == self.now {
                    (self.now, mark.1 | bit)
                } else {
                    (self.now, bit)
                };
            }
        }
    }

    /// Is a value live at the start of a segment, as [`Live::enters`]? `None`: that is not looked at.
    pub fn enters(&self, value: ValueId, segment: SegmentId) -> Option<bool> {
        let at = self.segments.iter().position(|one| *one == segment)?;
        let (when, bits) = self.marks[value.index()];
        Some(when == self.now && bits >> at & 1 != 0)
    }
}
