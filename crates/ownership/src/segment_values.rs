//! The values that are live or used in each segment, grouped for queries about many owners.

use crate::{
    function::{Function, SegmentId, StepIndex, ValueId},
    no_alias::NoAlias,
    value_liveness::ValueLiveness,
};
use smallvec::SmallVec;
use std::{cmp::Reverse, ops::Range};

/// A value in a segment: its group, the last step that uses it, the value.
type Entry = (ValueId, Reverse<Option<StepIndex>>, ValueId);

/// The values of all segments.
pub struct SegmentValues {
    /// For each segment, its values sorted by group. Within a group, the values with the latest use come
    /// first.
    values: Vec<Vec<Entry>>,
    /// For each segment, the values that are live at its start.
    entering: Vec<Vec<ValueId>>,
    /// The segments that `enters` answers for.
    selected: SmallVec<[SegmentId; 4]>,
    /// For each value: the selection that it was last marked in, and a bit for each selected segment at whose
    /// start it is live.
    marks: Vec<(u32, u64)>,
    generation: u32,
}

impl SegmentValues {
    /// Collects the values of a function's segments.
    pub fn of(function: &Function, live: &ValueLiveness, distinct: &NoAlias<'_>) -> Self {
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
            selected: SmallVec::new(),
            marks: vec![(0, 0); function.values.len()],
            generation: 0,
        }
    }

    /// The positions of the values of one group in a segment. The values with the latest use come first.
    pub fn group(&self, segment: SegmentId, group: ValueId) -> Range<usize> {
        let values = &self.values[segment.index()];
        let first = values.partition_point(|(other, ..)| *other < group);
        let count = values[first..].partition_point(|(other, ..)| *other == group);
        first..first + count
    }

    /// The value at a position, and the last step that uses it.
    pub fn value(&self, segment: SegmentId, at: usize) -> (ValueId, Option<StepIndex>) {
        let (_, Reverse(last), value) = self.values[segment.index()][at];
        (value, last)
    }

    /// Selects the segments that [`Self::enters`] answers for. At most 64 are.
    pub fn select_segments(&mut self, segments: impl Iterator<Item = SegmentId>) {
        self.selected.clear();
        self.generation += 1;
        for segment in segments.take(64) {
            let bit = 1 << self.selected.len();
            self.selected.push(segment);
            for value in &self.entering[segment.index()] {
                let mark = &mut self.marks[value.index()];
                *mark = if mark.0 == self.generation {
                    (self.generation, mark.1 | bit)
                } else {
                    (self.generation, bit)
                };
            }
        }
    }

    /// Whether a value is live at the start of a segment, as [`ValueLiveness::enters`]. `None` if the segment
    /// is not selected.
    pub fn enters(&self, value: ValueId, segment: SegmentId) -> Option<bool> {
        let at = self.selected.iter().position(|one| *one == segment)?;
        let (when, bits) = self.marks[value.index()];
        Some(when == self.generation && bits >> at & 1 != 0)
    }
}
