//! The values that are live or used in each segment, grouped for queries about many owners.

use crate::{
    alias_classes::{Split, SplitSearch},
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

/// The values of a segment that a value may alias, as far as they have not been found yet.
pub struct Search {
    segment: SegmentId,
    at_start: bool,
    /// The position of the first value of the group.
    first: usize,
    /// The positions of all values of the group; if `at_start`, their numbers among those that are live there.
    all: Range<usize>,
    /// The number of the group's split, if it leaves fewer values.
    split: Option<(usize, SplitSearch)>,
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

    /// Starts a search for the values of a segment that a value may alias; if `at_start`, for those that are live at
    /// its start.
    pub fn search(
        &self,
        segment: SegmentId,
        value: ValueId,
        at_start: bool,
        no_alias: &NoAlias<'_>,
    ) -> Search {
        let group = no_alias.group(value);
        let splits = &self.splits[segment.index()];
        let split = splits
            .binary_search_by_key(&group, |(group, _)| *group)
            .ok();
        let split = split.and_then(|split| {
            let search = no_alias.classes().search(&splits[split].1, value)?;
            Some((split, search))
        });
        let group = self.group(segment, group);
        let entering = &self.entering[segment.index()];
        let place = |at: usize| entering.partition_point(|other| (*other as usize) < at);
        Search {
            segment,
            at_start,
            first: group.start,
            all: match at_start {
                true => place(group.start)..place(group.end),
                false => group,
            },
            split,
        }
    }

    /// The next value that a search finds, with the last step that uses it. The values with the latest use come first.
    pub fn next(&self, search: &mut Search) -> Option<(ValueId, Option<StepIndex>)> {
        let entering = &self.entering[search.segment.index()];
        if search.all.is_empty() {
            return None;
        }
        let at = if let Some((number, values)) = &mut search.split {
            let split = &self.splits[search.segment.index()][*number].1;
            loop {
                let at = search.first + split.next(values)? as usize;
                if !search.at_start || entering.binary_search(&(at as u32)).is_ok() {
                    break at;
                }
            }
        } else {
            let at = search.all.next()?;
            if search.at_start {
                entering[at] as usize
            } else {
                at
            }
        };
        let (_, Reverse(last), value) = self.values[search.segment.index()][at];
        Some((value, last))
    }

    /// The positions of the values of one group in a segment. The values with the latest use come first.
    fn group(&self, segment: SegmentId, group: ValueId) -> Range<usize> {
        let values = &self.values[segment.index()];
        let first = values.partition_point(|(other, ..)| *other < group);
        let count = values[first..].partition_point(|(other, ..)| *other == group);
        first..first + count
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
