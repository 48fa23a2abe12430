//! An analysis of values that never alias, among those that may refer to memory that the function has to
//! free.
//!
//! Two values are compared at points where both are visible. New memory aliases no value that was defined
//! before it, and memory of others is never freed. A parameter does not alias a value if no value does that
//! an edge passes for it. Pairs that recur in this are assumed not to alias. If the assumption turns out
//! wrong, it is withdrawn for all pairs that rely on it. This computes the greatest fixpoint, which is sound
//! by induction over the steps of a run. It proves, for instance, that two buffers which a loop swaps never
//! alias.

use crate::{
    alias_classes::AliasClasses,
    function::{Function, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_flow::{EntitySet, Graph, UnionFind, reachable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The number of pairs that are examined in all, for each value. Pairs beyond that may alias.
const PAIRS_PER_VALUE: usize = 256;

/// The number of transitive sources that are cached, for each value.
const CACHED_SOURCES_PER_VALUE: usize = 16;

type Pair = (ValueId, ValueId);

/// The values that a value may refer to the memory of, through all kinds but parameters.
struct TransitiveSources {
    all: FxHashSet<ValueId>,
    params: Vec<ValueId>,
}

/// The alias relation of a function's values, computed on demand.
pub struct NoAlias<'f> {
    function: &'f Function,
    order: &'f SegmentOrder,
    /// Values that may refer to memory that the function has to free.
    owned: EntitySet<ValueId>,
    /// For each value, its group: memory may flow between values of one group only.
    groups: Vec<ValueId>,
    classes: AliasClasses,
    /// For each parameter, its number among the parameters of its segment.
    param_numbers: Vec<u32>,
    /// Answers so far.
    known: FxHashMap<Pair, bool>,
    /// Transitive sources of recently queried values. Consecutive queries compare one value with many others.
    source_cache: FxHashMap<ValueId, Rc<TransitiveSources>>,
    /// The number of values in the cache.
    cached_sources: usize,
    /// The number of pairs that may still be examined.
    budget: usize,
}

/// An answer for a pair, or the pairs that it depends on.
enum PairAnswer {
    Known(bool),
    /// The pair never aliases if none of these does.
    IfAll(SmallVec<[Pair; 4]>),
}

impl<'f> NoAlias<'f> {
    /// Prepares the analysis of a function.
    pub fn of(function: &'f Function, order: &'f SegmentOrder) -> Self {
        let param_numbers = function.param_numbers();
        let owned = may_be_owned(function, order, &param_numbers);
        let groups = groups(function, order, &owned);
        Self {
            function,
            order,
            classes: AliasClasses::of(function, order, &owned, &groups),
            groups,
            owned,
            param_numbers,
            known: FxHashMap::default(),
            source_cache: FxHashMap::default(),
            cached_sources: 0,
            budget: PAIRS_PER_VALUE * (function.values.len() + 16),
        }
    }

    /// The group of a value: memory may flow between values of one group only.
    pub fn group(&self, value: ValueId) -> ValueId {
        self.groups[value.index()]
    }

    /// Classes of values that never alias.
    pub fn classes(&self) -> &AliasClasses {
        &self.classes
    }

    /// Whether two values never alias, at any point where both are visible.
    pub fn never_alias(&mut self, one: ValueId, other: ValueId) -> bool {
        let pair = ordered_pair(one, other);
        match self.answer(pair) {
            PairAnswer::Known(known) => known,
            PairAnswer::IfAll(_) if self.budget == 0 => false,
            PairAnswer::IfAll(_) => match (self.is_fresh(one), self.is_derived(other)) {
                (true, true) => self.is_not_derived_from(other, one),
                _ if self.is_fresh(other) && self.is_derived(one) => {
                    self.is_not_derived_from(one, other)
                }
                _ => self.resolve(pair),
            },
        }
    }

    /// Records that two values may alias, which follows from other pairs.
    pub fn note_may_alias(&mut self, one: ValueId, other: ValueId) {
        self.known.insert(ordered_pair(one, other), false);
    }

    fn is_fresh(&self, value: ValueId) -> bool {
        let kind = &self.function.value(value).kind;
        matches!(
            kind,
            ValueKind::Fresh {
                may_alias: None,
                ..
            }
        )
    }

    fn is_derived(&self, value: ValueId) -> bool {
        let kind = &self.function.value(value).kind;
        matches!(kind, ValueKind::AnyOf(_) | ValueKind::FreshOrAnyOf(_))
    }

    /// Whether a value that is derived from others never aliases `new`: new memory is not among the value's
    /// sources, and aliases none of the parameters among these.
    fn is_not_derived_from(&mut self, value: ValueId, new: ValueId) -> bool {
        let Some(comes_from) = self.transitive_sources(value) else {
            return false;
        };
        let never_alias = !comes_from.all.contains(&new)
            && comes_from.params.iter().all(|param| {
                self.budget = self.budget.saturating_sub(1);
                let pair = ordered_pair(new, *param);
                match self.answer(pair) {
                    PairAnswer::Known(known) => known,
                    PairAnswer::IfAll(_) => self.budget > 0 && self.resolve(pair),
                }
            });
        self.known.insert(ordered_pair(new, value), never_alias);
        never_alias
    }

    /// The transitive sources of a value; `None` if the budget is spent.
    fn transitive_sources(&mut self, value: ValueId) -> Option<Rc<TransitiveSources>> {
        if let Some(known) = self.source_cache.get(&value) {
            return Some(Rc::clone(known));
        }
        let mut all = FxHashSet::from_iter([value]);
        let mut params = Vec::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            self.budget = self.budget.checked_sub(1)?;
            let sources = match &self.function.value(value).kind {
                ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => sources.as_slice(),
                ValueKind::Fresh { may_alias, .. } => may_alias.as_slice(),
                ValueKind::Foreign => &[],
                ValueKind::Param => {
                    params.push(value);
                    &[]
                }
            };
            open.extend(sources.iter().filter(|source| all.insert(**source)));
        }
        if self.cached_sources > CACHED_SOURCES_PER_VALUE * self.function.values.len() {
            self.source_cache.clear();
            self.cached_sources = 0;
        }
        self.cached_sources += all.len();
        let comes_from = Rc::new(TransitiveSources { all, params });
        self.source_cache.insert(value, Rc::clone(&comes_from));
        Some(comes_from)
    }

    /// Answers a pair and all pairs that it depends on.
    fn resolve(&mut self, first: Pair) -> bool {
        let mut open = vec![first];
        let mut seen: FxHashMap<Pair, SmallVec<[Pair; 2]>> = FxHashMap::default();
        seen.insert(first, SmallVec::new());
        let mut refuted: Vec<Pair> = Vec::new();
        while let Some(pair) = open.pop() {
            let Some(left) = self.budget.checked_sub(1) else {
                self.known.insert(first, false);
                return false;
            };
            self.budget = left;
            match self.answer(pair) {
                PairAnswer::Known(true) => {}
                PairAnswer::Known(false) => refuted.push(pair),
                PairAnswer::IfAll(needs) => {
                    for need in needs {
                        seen.entry(need)
                            .or_insert_with(|| {
                                open.push(need);
                                SmallVec::new()
                            })
                            .push(pair);
                    }
                }
            }
        }
        let mut assumed: FxHashMap<Pair, bool> = seen.keys().map(|pair| (*pair, true)).collect();
        while let Some(pair) = refuted.pop() {
            if assumed.insert(pair, false) == Some(true) {
                refuted.extend(seen[&pair].iter().copied());
            }
        }
        let answer = assumed[&first];
        self.known.extend(assumed);
        answer
    }

    fn answer(&self, pair: Pair) -> PairAnswer {
        let (one, other) = pair;
        if !self.owned.contains(one) || !self.owned.contains(other) {
            return PairAnswer::Known(true);
        }
        if one == other {
            return PairAnswer::Known(false);
        }
        let groups = (self.groups[one.index()], self.groups[other.index()]);
        if groups.0 != groups.1 {
            return PairAnswer::Known(true);
        }
        if let Some(known) = self.known.get(&pair) {
            return PairAnswer::Known(*known);
        }
        let (first, second) = match (
            self.order.is_before(self.function, one, other),
            self.order.is_before(self.function, other, one),
        ) {
            (true, _) => (one, other),
            (_, true) => (other, one),
            _ => return self.defined_together(one, other),
        };
        match &self.function.value(second).kind {
            ValueKind::Fresh { .. } | ValueKind::Foreign => PairAnswer::Known(true),
            ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => {
                PairAnswer::IfAll(pairs_with(first, sources))
            }
            ValueKind::Param => {
                let segment = self.function.value(second).segment;
                let at = self.param_numbers[second.index()] as usize;
                let mut needs = SmallVec::new();
                for edge in &self.order.incoming[segment.index()] {
                    let passed = self.function.edge(*edge).passed.get(at).copied().flatten();
                    needs.extend(passed.map(|passed| ordered_pair(first, passed)));
                }
                PairAnswer::IfAll(needs)
            }
        }
    }

    /// Two values that are defined at the same point, or never visible together.
    fn defined_together(&self, one: ValueId, other: ValueId) -> PairAnswer {
        let (first, second) = (self.function.value(one), self.function.value(other));
        if first.segment != second.segment || first.step != second.step {
            // Neither is before the other, so no point sees both.
            return PairAnswer::Known(true);
        }
        match (&first.kind, &second.kind) {
            (ValueKind::Fresh { may_alias: a, .. }, ValueKind::Fresh { may_alias: b, .. }) => {
                PairAnswer::Known(a.unwrap_or(one) != b.unwrap_or(other))
            }
            (ValueKind::Param, ValueKind::Param) => {
                let (a, b) = (
                    self.param_numbers[one.index()],
                    self.param_numbers[other.index()],
                );
                let mut needs = SmallVec::new();
                for edge in &self.order.incoming[first.segment.index()] {
                    let passed = |at: u32| {
                        let passed = &self.function.edge(*edge).passed;
                        passed.get(at as usize).copied().flatten()
                    };
                    if let (Some(a), Some(b)) = (passed(a), passed(b)) {
                        needs.push(ordered_pair(a, b));
                    }
                }
                PairAnswer::IfAll(needs)
            }
            // Results of one operation may alias each other.
            (ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources), _)
                if sources.contains(&other) =>
            {
                PairAnswer::Known(false)
            }
            (_, ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources))
                if sources.contains(&one) =>
            {
                PairAnswer::Known(false)
            }
            (ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources), _) => {
                PairAnswer::IfAll(pairs_with(other, sources))
            }
            (_, ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources)) => {
                PairAnswer::IfAll(pairs_with(one, sources))
            }
            _ => PairAnswer::Known(true),
        }
    }
}

/// The values that may refer to memory that the function has to free: that memory, and all values that it
/// flows to.
fn may_be_owned(
    function: &Function,
    order: &SegmentOrder,
    param_numbers: &[u32],
) -> EntitySet<ValueId> {
    let sources = Graph::new(function.values.len(), |value: ValueId| {
        let fact = function.value(value);
        let mut sources: SmallVec<[ValueId; 4]> = SmallVec::new();
        match &fact.kind {
            ValueKind::AnyOf(all) => sources.extend_from_slice(all),
            ValueKind::Param => {
                let at = param_numbers[value.index()] as usize;
                let edges = order.incoming[fact.segment.index()].iter();
                let passed = edges.map(|edge| function.edge(*edge).passed.get(at));
                sources.extend(passed.filter_map(|passed| passed.copied().flatten()));
            }
            ValueKind::Fresh { .. } | ValueKind::FreshOrAnyOf(_) | ValueKind::Foreign => {}
        }
        sources
    });
    let is_own = |value: &ValueId| {
        let kind = &function.value(*value).kind;
        matches!(
            kind,
            ValueKind::Fresh { owned: true, .. } | ValueKind::FreshOrAnyOf(_)
        )
    };
    reachable(&sources.reversed(), sources.nodes().filter(is_own))
}

fn pairs_with(value: ValueId, sources: &[ValueId]) -> SmallVec<[Pair; 4]> {
    sources
        .iter()
        .map(|source| ordered_pair(value, *source))
        .collect()
}

fn ordered_pair(one: ValueId, other: ValueId) -> Pair {
    (one.min(other), one.max(other))
}

/// For each value, the lowest value of its group.
fn groups(function: &Function, order: &SegmentOrder, owned: &EntitySet<ValueId>) -> Vec<ValueId> {
    let mut groups = UnionFind::with_capacity(function.values.len());
    let mut unite = |one: ValueId, other: ValueId| {
        if owned.contains(one) && owned.contains(other) {
            groups.unite(one, other);
        }
    };
    for (index, value) in function.values.iter().enumerate() {
        let index = ValueId::new(index);
        match &value.kind {
            ValueKind::Fresh {
                may_alias: Some(first),
                ..
            } => unite(*first, index),
            ValueKind::Fresh {
                may_alias: None, ..
            }
            | ValueKind::Param
            | ValueKind::Foreign => {}
            ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => {
                for source in sources {
                    unite(index, *source);
                }
            }
        }
    }
    for (index, segment) in function.segments.iter().enumerate() {
        for edge in &order.incoming[index] {
            for (param, passed) in segment.params.iter().zip(&function.edge(*edge).passed) {
                if let Some(passed) = passed {
                    unite(*param, *passed);
                }
            }
        }
    }
    let values = (0..function.values.len()).map(ValueId::new);
    values.map(|value| groups.find(value)).collect()
}
