//! Values that never alias, as sets in place of pairs: a loop that rotates thousands of buffers has millions of pairs.
//!
//! A *class* joins a value with all values that it is derived from. Its *roots* are the new memory and the parameters
//! in it. Values of two classes never alias if no roots of the two do. Two pieces of new memory never do, nor does
//! new memory alias a parameter that was defined before it. Two parameters of one segment never alias if both are
//! *separate*: on each edge, the values that are passed for the separate parameters of a segment are of different
//! classes which never alias. Parameters are assumed to be separate, and the assumption is withdrawn where it proves
//! wrong. As in [`crate::no_alias`], this is a fixpoint that an induction over the steps of a run shows to be sound;
//! it is not the greatest one.

use crate::{
    function::{Function, SegmentId, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_flow::{EntitySet, UnionFind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The parameters of a segment whose edges have been checked more often are not separate.
const MAX_CHECKS: u32 = 8;

/// Fewer values are not split into classes: all their pairs are soon compared.
const MIN_VALUES: usize = 4;

/// The parameters among the roots of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RootParams {
    None,
    /// Separate ones of this segment.
    Of(SegmentId),
    /// Those of several segments, or some that are not separate.
    Any,
}

/// A segment whose separate parameters are roots, with its position.
type RootSegment = Option<(SegmentId, u32)>;

/// The roots of a class.
#[derive(Clone, Copy, Debug)]
struct Roots {
    params: RootParams,
    /// The position of the first segment that defines new memory, or a value derived from roots.
    first: u32,
}

impl Roots {
    /// Whether classes of which all have such roots never alias each other.
    fn are_distinct(self, params: RootSegment) -> bool {
        // A segment of a higher position does not dominate the segment of the parameters.
        let is_after = params.is_none_or(|(_, position)| self.first >= position);
        match self.params {
            RootParams::None => is_after,
            RootParams::Of(own) => is_after && params.is_some_and(|(segment, _)| segment == own),
            RootParams::Any => false,
        }
    }
}

/// The classes of a function's values.
pub struct AliasClasses {
    /// For each value, the lowest value of its class.
    classes: Vec<ValueId>,
    /// The roots of each class, by its lowest value.
    roots: Vec<Roots>,
    /// For each segment, its position in reverse postorder.
    positions: Vec<u32>,
}

impl AliasClasses {
    /// Finds the classes of the values that may refer to memory which the function has to free (`owned`). Values of
    /// different `groups` never alias.
    pub fn of(
        function: &Function,
        order: &SegmentOrder,
        owned: &EntitySet<ValueId>,
        groups: &[ValueId],
    ) -> Self {
        let mut positions = vec![u32::MAX; function.segments.len()];
        for (position, segment) in (0..).zip(order.segments()) {
            positions[segment.index()] = position;
        }
        let classes = derived_classes(function, owned);
        let nothing = Roots {
            params: RootParams::None,
            first: u32::MAX,
        };
        let mut roots = vec![nothing; function.values.len()];
        for (index, value) in function.values.iter().enumerate() {
            if !owned.contains(ValueId::new(index)) {
                continue;
            }
            let roots = &mut roots[classes[index].index()];
            if value.kind != ValueKind::Param {
                roots.first = roots.first.min(positions[value.segment.index()]);
                continue;
            }
            let own = match order.is_reachable(value.segment) {
                true => RootParams::Of(value.segment),
                false => RootParams::Any,
            };
            roots.params = match roots.params {
                RootParams::None => own,
                before if before == own => own,
                _ => RootParams::Any,
            };
        }
        let mut all = Self {
            classes,
            roots,
            positions,
        };
        SeparateParams {
            function,
            order,
            owned,
            groups,
            is_separate: vec![false; function.values.len()],
        }
        .solve(&mut all);
        all
    }

    fn roots(&self, value: ValueId) -> Roots {
        self.roots[self.classes[value.index()].index()]
    }

    /// The segment whose parameters are roots of most of these values.
    fn most_frequent_params(&self, values: impl Iterator<Item = ValueId>) -> RootSegment {
        let mut counts: FxHashMap<SegmentId, u32> = FxHashMap::default();
        let mut most: Option<(u32, SegmentId)> = None;
        for value in values {
            if let RootParams::Of(segment) = self.roots(value).params {
                let count = counts.entry(segment).or_insert(0);
                *count += 1;
                if most.is_none_or(|(before, _)| *count > before) {
                    most = Some((*count, segment));
                }
            }
        }
        most.map(|(_, segment)| (segment, self.positions[segment.index()]))
    }

    /// Splits values of one group that are visible at one point, if most of them are of different classes that never
    /// alias.
    pub fn split(&self, values: impl ExactSizeIterator<Item = ValueId> + Clone) -> Option<Split> {
        let count = values.len();
        if count < MIN_VALUES {
            return None;
        }
        let mut split = Split {
            params: self.most_frequent_params(values.clone()),
            members: Vec::new(),
            rest: Vec::new(),
        };
        for (at, value) in (0..).zip(values) {
            match self.roots(value).are_distinct(split.params) {
                true => split.members.push((self.classes[value.index()], at)),
                false => split.rest.push(at),
            }
        }
        split.members.sort_unstable();
        (split.members.len() > split.rest.len()).then_some(split)
    }

    /// Starts a search for the values of a split that a value may alias. `None`: it may alias any.
    pub fn search(&self, split: &Split, value: ValueId) -> Option<SplitSearch> {
        if !self.roots(value).are_distinct(split.params) {
            return None;
        }
        let class = self.classes[value.index()];
        let first = split.members.partition_point(|(other, _)| *other < class);
        let count = split.members[first..].partition_point(|(other, _)| *other == class);
        Some(SplitSearch {
            members: first..first + count,
            rest: 0..split.rest.len(),
        })
    }
}

/// Values by their classes.
pub struct Split {
    /// The parameters among the roots.
    params: RootSegment,
    /// The values of classes that never alias each other, by their positions; sorted by class.
    members: Vec<(ValueId, u32)>,
    /// The positions of the others.
    rest: Vec<u32>,
}

impl Split {
    /// The position of the next value that a search finds. Positions ascend.
    pub fn next(&self, search: &mut SplitSearch) -> Option<u32> {
        let member = self.members[search.members.clone()].first();
        let member = member.map(|(_, at)| *at);
        let other = self.rest[search.rest.clone()].first().copied();
        match (member, other) {
            (Some(member), other) if other.is_none_or(|other| member < other) => {
                search.members.start += 1;
                Some(member)
            }
            (_, other) => {
                search.rest.start += usize::from(other.is_some());
                other
            }
        }
    }
}

/// The values of a split that a value may alias, as far as they have not been found yet.
pub struct SplitSearch {
    members: Range<usize>,
    rest: Range<usize>,
}

/// Decides which parameters are separate.
struct SeparateParams<'f> {
    function: &'f Function,
    order: &'f SegmentOrder,
    owned: &'f EntitySet<ValueId>,
    groups: &'f [ValueId],
    is_separate: Vec<bool>,
}

impl SeparateParams<'_> {
    /// Withdraws the assumption that parameters are separate where edges pass values that may alias.
    fn solve(mut self, classes: &mut AliasClasses) {
        // For each class, the segments that its values are passed to.
        let mut targets: FxHashMap<ValueId, Vec<SegmentId>> = FxHashMap::default();
        for segment in self.order.segments() {
            for param in &self.function.segment(*segment).params {
                self.is_separate[param.index()] = self.owned.contains(*param);
            }
            for edge in &self.order.incoming[segment.index()] {
                let passed = self.function.edge(*edge).passed.iter().flatten();
                for passed in passed.filter(|passed| self.owned.contains(**passed)) {
                    let to = targets.entry(classes.classes[passed.index()]).or_default();
                    if to.last() != Some(segment) {
                        to.push(*segment);
                    }
                }
            }
        }
        let mut checks = vec![0; self.function.segments.len()];
        let mut is_open = vec![true; self.function.segments.len()];
        let mut open: Vec<SegmentId> = self.order.segments().iter().rev().copied().collect();
        while let Some(segment) = open.pop() {
            checks[segment.index()] += 1;
            let params = &self.function.segment(segment).params;
            let withdrawn: Vec<ValueId> = if checks[segment.index()] > MAX_CHECKS {
                // It stays open: nothing is left to check.
                let params = params.iter().copied();
                params
                    .filter(|param| self.is_separate[param.index()])
                    .collect()
            } else {
                is_open[segment.index()] = false;
                let edges = self.order.incoming[segment.index()].iter();
                edges
                    .flat_map(|edge| {
                        self.inseparable(params, &self.function.edge(*edge).passed, classes)
                    })
                    .collect()
            };
            for param in withdrawn {
                self.is_separate[param.index()] = false;
                let class = classes.classes[param.index()];
                let roots = &mut classes.roots[class.index()];
                if std::mem::replace(&mut roots.params, RootParams::Any) == RootParams::Any {
                    continue;
                }
                for to in targets.get(&class).into_iter().flatten() {
                    if !std::mem::replace(&mut is_open[to.index()], true) {
                        open.push(*to);
                    }
                }
            }
        }
    }

    /// The parameters that are not separate, given the values that an edge passes for them.
    fn inseparable(
        &self,
        params: &[ValueId],
        passed: &[Option<ValueId>],
        classes: &AliasClasses,
    ) -> Vec<ValueId> {
        let pairs = params.iter().zip(passed);
        let mut pairs: Vec<(ValueId, ValueId, ValueId)> = pairs
            .filter_map(|(param, passed)| Some((*param, (*passed)?)))
            .filter(|(param, passed)| {
                self.is_separate[param.index()] && self.owned.contains(*passed)
            })
            .map(|(param, passed)| (self.groups[param.index()], param, passed))
            .collect();
        pairs.sort_unstable();
        let mut used: FxHashSet<ValueId> = FxHashSet::default();
        let mut inseparable = Vec::new();
        for group in pairs.chunk_by(|one, other| one.0 == other.0) {
            let roots = classes.most_frequent_params(group.iter().map(|(_, _, passed)| *passed));
            for (_, param, passed) in group {
                if !classes.roots(*passed).are_distinct(roots)
                    || !used.insert(classes.classes[passed.index()])
                {
                    inseparable.push(*param);
                }
            }
        }
        inseparable
    }
}

/// For each value, the lowest value of its class.
fn derived_classes(function: &Function, owned: &EntitySet<ValueId>) -> Vec<ValueId> {
    let mut classes = UnionFind::with_capacity(function.values.len());
    let values = (0..function.values.len()).map(ValueId::new);
    for value in values.clone().filter(|value| owned.contains(*value)) {
        let sources = match &function.value(value).kind {
            ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => sources.as_slice(),
            ValueKind::Fresh { may_alias, .. } => may_alias.as_slice(),
            ValueKind::Foreign | ValueKind::Param => &[],
        };
        for source in sources.iter().filter(|source| owned.contains(**source)) {
            classes.unite(value, *source);
        }
    }
    values.map(|value| classes.find(value)).collect()
}
