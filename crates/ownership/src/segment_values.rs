//! The values that are live or used in each segment, grouped for queries about many owners.

use crate::{
    alias_classes::Split,
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
    /// For each segment, the positions of the values that are live at its start.
    entering: Vec<Vec<u32>>,
    /// For each segment, its groups with many values that never alias.
    splits: Vec<Vec<(ValueId, Split)>>,
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
        let mut all: Vec<Vec<(Entry, bool)>> = vec![Vec::new(); count];
        for value in (0..function.values.len()).map(ValueId::new) {
            for (segment, enters, last) in live.segments(value) {
                let entry = (distinct.group(value), Reverse(last), value);
                all[segment.index()].push((entry, enters));
            }
        }
        let (mut values, mut entering) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut splits = Vec::with_capacity(count);
        for mut all in all {
            all.sort_unstable();
            let positions = (0..).zip(&all).filter(|(_, (_, enters))| *enters);
            entering.push(positions.map(|(at, _)| at).collect());
            let groups = all.chunk_by(|(one, _), (other, _)| one.0 == other.0);
            let groups = groups.filter_map(|group| {
                let values = group.iter().map(|((_, _, value), _)| *value);
                Some((group[0].0.0, distinct.classes().split(values)?))
            });
            splits.push(groups.collect());
            values.push(all.into_iter().map(|(entry, _)| entry).collect());
        }
        Self {
            values,
            entering,
            splits,
            selected: SmallVec::new(),
            marks: vec![(0, 0); function.values.len()],
            generation: 0,
        }
    }

    /// The positions of the values in a segment that a value may alias. The values with the latest use come first.
    pub fn may_alias(
        &self,
        segment: SegmentId,
        value: ValueId,
        no_alias: &NoAlias<'_>,
    ) -> impl Iterator<Item = usize> + use<> {
        let group = no_alias.group(value);
        let all = self.group(segment, group);
        let chosen = self.chosen(segment, value, no_alias);
        let first = all.start;
        let rest = if chosen.is_some() { 0..0 } else { all };
        let chosen = chosen.into_iter().flatten();
        rest.chain(chosen.map(move |at| first + at as usize))
    }

    /// The same for the values that are live at the start of a segment.
    pub fn may_alias_at_start(
        &self,
        segment: SegmentId,
        value: ValueId,
        no_alias: &NoAlias<'_>,
    ) -> SmallVec<[ValueId; 4]> {
        let all = self.group(segment, no_alias.group(value));
        let entering = &self.entering[segment.index()];
        let from = entering.partition_point(|at| (*at as usize) < all.start);
        let to = entering.partition_point(|at| (*at as usize) < all.end);
        let entering = &entering[from..to];
        let value_at = |at: u32| self.value(segment, at as usize).0;
        match self
            .chosen(segment, value, no_alias)
            .filter(|_| !entering.is_empty())
        {
            None => entering.iter().map(|at| value_at(*at)).collect(),
            Some(chosen) => {
                let chosen = chosen.iter().map(|at| all.start as u32 + at);
                let chosen = chosen.filter(|at| entering.binary_search(at).is_ok());
                chosen.map(value_at).collect()
            }
        }
    }

    /// The positions in its group.
    fn chosen(
        &self,
        segment: SegmentId,
        value: ValueId,
        no_alias: &NoAlias<'_>,
    ) -> Option<SmallVec<[u32; 4]>> {
        let splits = &self.splits[segment.index()];
        let group = no_alias.group(value);
        let found = splits.binary_search_by_key(&group, |(group, _)| *group);
        no_alias.classes().may_alias(&splits[found.ok()?].1, value)
    }

    /// The positions of the values of one group in a segment. The values with the latest use come first.
    fn group(&self, segment: SegmentId, group: ValueId) -> Range<usize> {
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
            for at in &self.entering[segment.index()] {
                let (_, _, value) = self.values[segment.index()][*at as usize];
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
