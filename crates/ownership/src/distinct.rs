//! Which values are never the same memory, among that which the function has to free.
//!
//! Two values that can be named at one place are compared as they are there. New memory is none that
//! a value defined before refers to, and memory of someone else is never freed. A parameter is apart from a value if what each edge passes is;
//! that is assumed of pairs that come round again, and taken back for all that relied on it where it
//! turns out wrong: the greatest fixpoint, so an induction over the steps of a run. It shows, for
//! instance, that two buffers that a loop swaps stay apart.

use crate::{
    function::{Function, Kind, ValueId},
    order::Order,
};
use memplan_flow::{EntitySet, Graph, UnionFind, reachable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// How many pairs are looked at in all, for each value; pairs beyond are not told apart.
const PAIRS_A_VALUE: usize = 256;

/// How many values are remembered that others come from, for each value.
const COMES_FROM_A_VALUE: usize = 16;

type Pair = (ValueId, ValueId);

/// What a value may be, by what it is made of and what that is made of.
struct ComesFrom {
    all: FxHashSet<ValueId>,
    params: Vec<ValueId>,
}

/// What is known of pairs of values.
pub struct Distinct<'f> {
    function: &'f Function,
    order: &'f Order,
    /// Values that may be memory that the function has to free.
    owned: EntitySet<ValueId>,
    /// For each value the group of those that memory may pass between.
    groups: Vec<ValueId>,
    /// For each parameter, its place.
    places: Vec<u32>,
    /// What is known so far.
    known: FxHashMap<Pair, bool>,
    /// Of values that were asked about lately: what is asked about one is asked of many others.
    comes_from: FxHashMap<ValueId, Rc<ComesFrom>>,
    /// How many values these hold in all.
    held: usize,
    /// How many pairs may still be looked at.
    left: usize,
}

/// What the answer for a pair hangs on.
enum Answer {
    Known(bool),
    /// It holds if it holds for all of these.
    All(SmallVec<[Pair; 4]>),
}

impl<'f> Distinct<'f> {
    /// Of a function.
    pub fn of(function: &'f Function, order: &'f Order) -> Self {
        let mut places = vec![0; function.values.len()];
        for segment in &function.segments {
            for (at, param) in segment.params.iter().enumerate() {
                places[param.index()] = at as u32;
            }
        }
        let owned = owned(function, order, &places);
        Self {
            function,
            order,
            groups: groups(function, order, &owned),
            owned,
            places,
            known: FxHashMap::default(),
            comes_from: FxHashMap::default(),
            held: 0,
            left: PAIRS_A_VALUE * (function.values.len() + 16),
        }
    }

    /// The same for all values that memory may pass between.
    pub fn group(&self, value: ValueId) -> ValueId {
        self.groups[value.index()]
    }

    /// Are two values, wherever both can be named, never the same memory?
    pub fn are(&mut self, one: ValueId, other: ValueId) -> bool {
        let pair = ordered(one, other);
        match self.answer(pair) {
            Answer::Known(known) => known,
            Answer::All(_) if self.left == 0 => false,
            Answer::All(_) => match (self.is_new(one), self.is_made(other)) {
                (true, true) => self.is_not_from(other, one),
                _ if self.is_new(other) && self.is_made(one) => self.is_not_from(one, other),
                _ => self.resolve(pair),
            },
        }
    }

    /// Notes that two values may be the same memory, which follows from other pairs.
    pub fn note_alike(&mut self, one: ValueId, other: ValueId) {
        self.known.insert(ordered(one, other), false);
    }

    fn is_new(&self, value: ValueId) -> bool {
        let kind = &self.function.value(value).kind;
        matches!(kind, Kind::Fresh { same_as: None, .. })
    }

    fn is_made(&self, value: ValueId) -> bool {
        let kind = &self.function.value(value).kind;
        matches!(kind, Kind::Any(_) | Kind::Told(_))
    }

    /// Is new memory none that a value refers to which is made of others? So it is if it is not among what that comes
    /// from, and apart from each parameter there.
    fn is_not_from(&mut self, value: ValueId, new: ValueId) -> bool {
        let Some(comes_from) = self.comes_from(value) else {
            return false;
        };
        let apart = !comes_from.all.contains(&new)
            && comes_from.params.iter().all(|param| {
                self.left = self.left.saturating_sub(1);
                let pair = ordered(new, *param);
                match self.answer(pair) {
                    Answer::Known(known) => known,
                    Answer::All(_) => self.left > 0 && self.resolve(pair),
                }
            });
        self.known.insert(ordered(new, value), apart);
        apart
    }

    /// What a value comes from; `None` if that takes too long.
    fn comes_from(&mut self, value: ValueId) -> Option<Rc<ComesFrom>> {
        if let Some(known) = self.comes_from.get(&value) {
            return Some(Rc::clone(known));
        }
        let mut all = FxHashSet::from_iter([value]);
        let mut params = Vec::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            self.left = self.left.checked_sub(1)?;
            let sources = match &self.function.value(value).kind {
                Kind::Any(sources) | Kind::Told(sources) => sources.as_slice(),
                Kind::Fresh { same_as, .. } => same_as.as_slice(),
                Kind::Foreign => &[],
                Kind::Param => {
                    params.push(value);
                    &[]
                }
            };
            open.extend(sources.iter().filter(|source| all.insert(**source)));
        }
        if self.held > COMES_FROM_A_VALUE * self.function.values.len() {
            self.comes_from.clear();
            self.held = 0;
        }
        self.held += all.len();
        let comes_from = Rc::new(ComesFrom { all, params });
        self.comes_from.insert(value, Rc::clone(&comes_from));
        Some(comes_from)
    }

    /// Finds out about a pair and all that it hangs on.
    fn resolve(&mut self, first: Pair) -> bool {
        let mut open = vec![first];
        let mut seen: FxHashMap<Pair, SmallVec<[Pair; 2]>> = FxHashMap::default();
        seen.insert(first, SmallVec::new());
        let mut wrong: Vec<Pair> = Vec::new();
        while let Some(pair) = open.pop() {
            let Some(left) = self.left.checked_sub(1) else {
                self.known.insert(first, false);
                return false;
            };
            self.left = left;
            match self.answer(pair) {
                Answer::Known(true) => {}
                Answer::Known(false) => wrong.push(pair),
                Answer::All(needs) => {
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
        let mut right: FxHashMap<Pair, bool> = seen.keys().map(|pair| (*pair, true)).collect();
        while let Some(pair) = wrong.pop() {
            if right.insert(pair, false) == Some(true) {
                wrong.extend(seen[&pair].iter().copied());
            }
        }
        let answer = right[&first];
        self.known.extend(right);
        answer
    }

    fn answer(&self, pair: Pair) -> Answer {
        let (one, other) = pair;
        if !self.owned.contains(one) || !self.owned.contains(other) {
            return Answer::Known(true);
        }
        if one == other {
            return Answer::Known(false);
        }
        let groups = (self.groups[one.index()], self.groups[other.index()]);
        if groups.0 != groups.1 {
            return Answer::Known(true);
        }
        if let Some(known) = self.known.get(&pair) {
            return Answer::Known(*known);
        }
        let (first, second) = match (
            self.order.is_before(self.function, one, other),
            self.order.is_before(self.function, other, one),
        ) {
            (true, _) => (one, other),
            (_, true) => (other, one),
            _ => return self.siblings(one, other),
        };
        match &self.function.value(second).kind {
            Kind::Fresh { .. } | Kind::Foreign => Answer::Known(true),
            Kind::Any(sources) | Kind::Told(sources) => Answer::All(against(first, sources)),
            Kind::Param => {
                let segment = self.function.value(second).segment;
                let at = self.places[second.index()] as usize;
                let mut needs = SmallVec::new();
                for edge in &self.order.incoming[segment.index()] {
                    let passed = self.function.edge(*edge).passed.get(at).copied().flatten();
                    needs.extend(passed.map(|passed| ordered(first, passed)));
                }
                Answer::All(needs)
            }
        }
    }

    /// Two values that are defined at once, or never seen together.
    fn siblings(&self, one: ValueId, other: ValueId) -> Answer {
        let (first, second) = (self.function.value(one), self.function.value(other));
        if first.segment != second.segment || first.step != second.step {
            // Neither is before the other: no place names both.
            return Answer::Known(true);
        }
        match (&first.kind, &second.kind) {
            (Kind::Fresh { same_as: a, .. }, Kind::Fresh { same_as: b, .. }) => {
                Answer::Known(a.unwrap_or(one) != b.unwrap_or(other))
            }
            (Kind::Param, Kind::Param) => {
                let (a, b) = (self.places[one.index()], self.places[other.index()]);
                let mut needs = SmallVec::new();
                for edge in &self.order.incoming[first.segment.index()] {
                    let passed = |at: u32| {
                        let passed = &self.function.edge(*edge).passed;
                        passed.get(at as usize).copied().flatten()
                    };
                    if let (Some(a), Some(b)) = (passed(a), passed(b)) {
                        needs.push(ordered(a, b));
                    }
                }
                Answer::All(needs)
            }
            // Results of one operation: either may be what the other is new as.
            (Kind::Any(sources) | Kind::Told(sources), _) if sources.contains(&other) => {
                Answer::Known(false)
            }
            (_, Kind::Any(sources) | Kind::Told(sources)) if sources.contains(&one) => {
                Answer::Known(false)
            }
            (Kind::Any(sources) | Kind::Told(sources), _) => Answer::All(against(other, sources)),
            (_, Kind::Any(sources) | Kind::Told(sources)) => Answer::All(against(one, sources)),
            _ => Answer::Known(true),
        }
    }
}

/// The values that may be memory that the function has to free: such memory, and what it gets to.
fn owned(function: &Function, order: &Order, places: &[u32]) -> EntitySet<ValueId> {
    let sources = Graph::new(function.values.len(), |value: ValueId| {
        let fact = function.value(value);
        let mut sources: SmallVec<[ValueId; 4]> = SmallVec::new();
        match &fact.kind {
            Kind::Any(all) => sources.extend_from_slice(all),
            Kind::Param => {
                let at = places[value.index()] as usize;
                let edges = order.incoming[fact.segment.index()].iter();
                let passed = edges.map(|edge| function.edge(*edge).passed.get(at));
                sources.extend(passed.filter_map(|passed| passed.copied().flatten()));
            }
            Kind::Fresh { .. } | Kind::Told(_) | Kind::Foreign => {}
        }
        sources
    });
    let is_own = |value: &ValueId| {
        let kind = &function.value(*value).kind;
        matches!(kind, Kind::Fresh { owned: true, .. } | Kind::Told(_))
    };
    reachable(&sources.reversed(), sources.nodes().filter(is_own))
}

fn against(value: ValueId, sources: &[ValueId]) -> SmallVec<[Pair; 4]> {
    sources
        .iter()
        .map(|source| ordered(value, *source))
        .collect()
}

fn ordered(one: ValueId, other: ValueId) -> Pair {
    (one.min(other), one.max(other))
}

/// For each value, the lowest of those that memory may pass between.
fn groups(function: &Function, order: &Order, owned: &EntitySet<ValueId>) -> Vec<ValueId> {
    let mut groups = UnionFind::with_capacity(function.values.len());
    let mut unite = |one: ValueId, other: ValueId| {
        if owned.contains(one) && owned.contains(other) {
            groups.unite(one, other);
        }
    };
    for (index, value) in function.values.iter().enumerate() {
        let index = ValueId::new(index);
        match &value.kind {
            Kind::Fresh {
                same_as: Some(first),
                ..
            } => unite(*first, index),
            Kind::Fresh { same_as: None, .. } | Kind::Param | Kind::Foreign => {}
            Kind::Any(sources) | Kind::Told(sources) => {
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
