//! Whether two values are the same memory: for certain, perhaps, or never.
//!
//! Each value has *origins*: what it may have come from, along edges, selects and calls. An origin is new
//! memory, memory of someone else, or something that is not known: that may be memory of someone else or
//! any that *got out*, which is what was stored or handed to where it cannot be followed.
//!
//! * Values of one and the same origin are the same memory. (An origin that is all that a value can have
//!   come from dominates it, and so cannot have run again between the two.)
//! * Values whose origins are apart are never the same memory, nor is new memory what was there before.
//! * What edges pass in may be apart in each case, though the origins are not (`apart`): so two buffers
//!   that a loop swaps are.
//!
//! Origins are found for all values in one walk over what flows into what, components first.

mod apart;
mod flow;

use crate::{
    function::{Function, Kind, ValueId},
    order::Order,
};
use apart::Proofs;
use flow::Flow;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// More origins than so many are not told apart one by one.
const MOST_ORIGINS: usize = 64;
/// Among more values than so many that share an origin, pairs are not looked at.
const MOST_PAIRED: usize = 32;

/// Where memory comes from and goes to in a function.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Its values and the ways between them; uses do not matter.
    pub function: Function,
    /// Values that may be any memory that got out, or that of someone else. For each its kind is
    /// [`Kind::Any`] of what else it may be, or [`Kind::Foreign`].
    pub unknown: Vec<ValueId>,
    /// Values whose memory gets out.
    pub escapes: Vec<ValueId>,
    /// For each value, bits of the caller's that go with the memory from there on.
    pub marks: Vec<u8>,
}

/// What two values have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One is the other's memory, whenever both can be named.
    Same,
    /// Only the run knows.
    Maybe,
    /// They are different memory.
    Never,
}

/// Who may be the same as whom.
pub trait Overlaps {
    /// A value that stands for all that are the same memory for certain as far as that is known.
    fn same(&self, value: ValueId) -> ValueId;

    /// Groups of values, by their places: two values are never the same memory if no group has both. Of
    /// two values only pairs matter that have one of the first `asked`.
    fn overlaps(&mut self, values: &[ValueId], asked: usize) -> Vec<SmallVec<[u32; 2]>>;
}

/// The new memory that a value may be.
#[derive(Clone, Debug)]
enum News {
    /// Any of these classes, in order.
    Few(Rc<[u32]>),
    /// Any of the values that flow into the same ones.
    Many,
}

/// What a value may be.
#[derive(Clone, Debug)]
struct Set {
    news: News,
    /// The one origin, if all that flows in is that; else the value itself.
    sole: ValueId,
    /// Memory of someone else.
    foreign: bool,
    /// Not known.
    unknown: bool,
    /// Some of the new memory got out.
    out: bool,
    marks: u8,
}

/// Where each value comes from.
pub struct Origins<'m> {
    function: &'m Function,
    order: Order,
    flow: Flow,
    sets: Vec<Set>,
    /// For each value, the group that it is in by what flows; empty where nobody asks.
    groups: Vec<ValueId>,
    proofs: Proofs,
}

impl<'m> Origins<'m> {
    /// Of all values.
    pub fn of(memory: &'m Memory) -> Self {
        let function = &memory.function;
        let order = Order::of(function);
        let flow = Flow::of(memory, &order);
        let sets = sets(memory, &flow);
        let many = sets.iter().any(|set| matches!(set.news, News::Many));
        let groups = if many { flow.groups() } else { Vec::new() };
        Self {
            function,
            order,
            flow,
            sets,
            groups,
            proofs: Proofs::default(),
        }
    }

    /// The order of the function's segments.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The marks of all that a value may have come from.
    pub fn marks(&self, value: ValueId) -> u8 {
        self.sets[value.index()].marks
    }

    /// What two values have to do with each other where both can be named.
    pub fn relation(&mut self, one: ValueId, other: ValueId) -> Relation {
        if self.same(one) == self.same(other) {
            Relation::Same
        } else if self.is_apart(one, other) || apart::prove(self, one, other) {
            Relation::Never
        } else {
            Relation::Maybe
        }
    }

    /// Are two values never the same, by their origins alone?
    fn is_apart(&self, one: ValueId, other: ValueId) -> bool {
        if self.is_later(one, other) || self.is_later(other, one) {
            return true;
        }
        let (a, b) = (&self.sets[one.index()], &self.sets[other.index()]);
        if (a.foreign || a.unknown) && (b.foreign || b.unknown)
            || a.unknown && b.out
            || b.unknown && a.out
        {
            return false;
        }
        match (&a.news, &b.news) {
            (News::Few(a), News::Few(b)) => are_disjoint(a, b),
            _ => self.groups[one.index()] != self.groups[other.index()],
        }
    }

    /// Is `one` new memory that was not there when `other` was defined?
    fn is_later(&self, one: ValueId, other: ValueId) -> bool {
        let made = self.same(one);
        if !matches!(self.function.value(made).kind, Kind::Fresh { .. }) {
            return false;
        }
        let is_before = |other| self.order.is_before(self.function, other, made);
        is_before(other) || is_before(self.same(other))
    }

    /// What a value has in common with all that it may be the same as.
    fn keys(&self, value: ValueId, wanted: &FxHashSet<ValueId>, keys: &mut Vec<Key>) {
        let set = &self.sets[value.index()];
        keys.clear();
        if set.foreign || set.unknown {
            keys.push(Key::Elsewhere);
        }
        if set.out || set.unknown {
            keys.push(Key::Out);
        }
        if let Some(group) = self.groups.get(value.index())
            && wanted.contains(group)
        {
            keys.push(Key::Group(*group));
        }
        if let News::Few(news) = &set.news {
            keys.extend(news.iter().map(|class| Key::New(*class)));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Elsewhere,
    Out,
    New(u32),
    Group(ValueId),
}

impl Overlaps for Origins<'_> {
    fn same(&self, value: ValueId) -> ValueId {
        self.sets[value.index()].sole
    }

    fn overlaps(&mut self, values: &[ValueId], asked: usize) -> Vec<SmallVec<[u32; 2]>> {
        let wanted: FxHashSet<ValueId> = values
            .iter()
            .filter(|value| matches!(self.sets[value.index()].news, News::Many))
            .map(|value| self.groups[value.index()])
            .collect();
        let mut numbers: FxHashMap<Key, u32> = FxHashMap::default();
        let mut buckets: Vec<Vec<u32>> = Vec::new();
        let mut keys = Vec::new();
        for (at, value) in values.iter().enumerate() {
            self.keys(*value, &wanted, &mut keys);
            for key in &keys {
                let number = *numbers.entry(*key).or_insert_with(|| {
                    buckets.push(Vec::new());
                    buckets.len() as u32 - 1
                });
                buckets[number as usize].push(at as u32);
            }
        }
        let mut groups = Vec::new();
        let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
        for bucket in buckets {
            // In order, so those that are asked about come first.
            let asked = bucket.partition_point(|at| (*at as usize) < asked);
            if asked > 0 && bucket.len() > MOST_PAIRED {
                groups.push(SmallVec::from_vec(bucket));
                continue;
            }
            for (nth, one) in bucket[..asked].iter().enumerate() {
                for other in &bucket[nth + 1..] {
                    let (a, b) = (values[*one as usize], values[*other as usize]);
                    if seen.insert((*one, *other)) && self.relation(a, b) != Relation::Never {
                        groups.push(SmallVec::from_slice(&[*one, *other]));
                    }
                }
            }
        }
        groups
    }
}

fn are_disjoint(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return false,
        }
    }
    true
}

/// What flows into each component, and so what each value may be.
fn sets(memory: &Memory, flow: &Flow) -> Vec<Set> {
    let mut sets: Vec<Option<Set>> = vec![None; memory.function.values.len()];
    let components = flow.components();
    for component in components.iter() {
        let members = components.members(component);
        let mut join = Join::default();
        for member in members {
            join.origin(memory, flow, *member);
        }
        for member in members {
            for source in flow.sources(*member) {
                // What has no set yet is in the component.
                if let Some(set) = &sets[source.index()] {
                    join.set(set);
                }
            }
        }
        for (member, set) in members.iter().zip(join.finish(members)) {
            sets[member.index()] = Some(set);
        }
    }
    sets.into_iter().flatten().collect()
}

/// A set in the making.
#[derive(Default)]
struct Join {
    /// The first set of new memory, as long as there is no other.
    first: Option<Rc<[u32]>>,
    rest: Vec<u32>,
    many: bool,
    sole: Option<ValueId>,
    several: bool,
    foreign: bool,
    unknown: bool,
    out: bool,
    marks: u8,
}

impl Join {
    fn one(&mut self, sole: ValueId) {
        self.several |= self.sole.replace(sole).is_some_and(|other| other != sole);
    }

    fn news(&mut self, news: &[u32]) {
        self.rest.extend_from_slice(news);
        if self.rest.len() > 4 * MOST_ORIGINS {
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        self.rest.sort_unstable();
        self.rest.dedup();
        self.many |= self.rest.len() > MOST_ORIGINS;
        if self.many {
            self.rest.clear();
        }
    }

    /// What a value is of itself.
    fn origin(&mut self, memory: &Memory, flow: &Flow, value: ValueId) {
        self.marks |= memory.marks.get(value.index()).copied().unwrap_or(0);
        let lost = flow.lost[value.index()];
        self.unknown |= lost;
        self.several |= lost;
        match &memory.function.value(value).kind {
            Kind::Fresh { same_as, .. } => {
                self.news(&[same_as.unwrap_or(value).0]);
                self.out |= flow.out[value.index()];
                self.one(value);
            }
            Kind::Foreign => {
                self.foreign |= !lost;
                self.one(value);
            }
            Kind::Any(_) | Kind::Param | Kind::Told(_) => {}
        }
    }

    fn set(&mut self, set: &Set) {
        self.one(set.sole);
        self.foreign |= set.foreign;
        self.unknown |= set.unknown;
        self.out |= set.out;
        self.marks |= set.marks;
        match &set.news {
            News::Many => self.many = true,
            News::Few(news) if news.is_empty() => {}
            News::Few(news) => match &self.first {
                None => self.first = Some(Rc::clone(news)),
                Some(first) if Rc::ptr_eq(first, news) => {}
                Some(_) => self.news(news),
            },
        }
    }

    /// The sets of a component's members.
    fn finish(mut self, members: &[ValueId]) -> impl Iterator<Item = Set> {
        let news = if !self.many && self.rest.is_empty() {
            News::Few(self.first.unwrap_or_default())
        } else {
            if let Some(first) = self.first.take() {
                self.news(&first);
            }
            self.tidy();
            if self.many {
                News::Many
            } else {
                News::Few(self.rest.into())
            }
        };
        let sole = self.sole.filter(|_| !self.several);
        members.iter().map(move |member| Set {
            news: news.clone(),
            sole: sole.unwrap_or(*member),
            foreign: self.foreign,
            unknown: self.unknown,
            out: self.out,
            marks: self.marks,
        })
    }
}
