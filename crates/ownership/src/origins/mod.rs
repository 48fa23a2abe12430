//! Whether two values must, may or never alias, by their origins.
//!
//! The *origins* of a value are the memory that it may have come from along edges, selects and calls. An
//! origin is new memory, memory of others, or unknown. Unknown memory may be memory of others, or memory that
//! *escaped*: that was stored, or passed to where it cannot be followed.
//!
//! * Values of one and the same single origin are the same memory. (An origin that is the only one of a value
//!   dominates it, so it cannot have been executed again in between.)
//! * Values with disjoint origins never alias. Nor does new memory alias memory that was there before.
//! * The values that edges pass may never alias although their origins are the same (`no_alias_proof`). Two
//!   buffers that a loop swaps are an example.
//!
//! Origins are found for all values in one pass over the strongly connected components of the value graph.

mod no_alias_proof;
mod value_flow;

use crate::{
    function::{Function, ValueId, ValueKind},
    order::SegmentOrder,
};
use no_alias_proof::NoAliasProofs;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;
use value_flow::ValueFlow;

/// Values with more origins than this count as any new memory of their group.
const MAX_ORIGINS: usize = 64;
/// Among more values than this that share an origin, pairs are not examined.
const MAX_PAIRED: usize = 32;

/// A function, and where memory enters it and escapes from it.
#[derive(Clone, Debug, Default)]
pub struct OriginsInput {
    /// The values and the edges between them. Uses are ignored.
    pub function: Function,
    /// Values that may be any memory that escaped, or memory of others. Their kind is [`ValueKind::AnyOf`] of
    /// what else they may be, or [`ValueKind::Foreign`].
    pub unknown: Vec<ValueId>,
    /// Values whose memory escapes.
    pub escapes: Vec<ValueId>,
    /// For each value, bits that the caller defines. They propagate to all values that may be the same
    /// memory.
    pub marks: Vec<u8>,
}

/// The alias relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasResult {
    /// They are the same memory at each point where both are visible.
    Must,
    /// They may be the same memory.
    May,
    /// They are never the same memory.
    No,
}

/// Alias queries for [`crate::simplify`].
pub trait AliasOracle {
    /// A value that represents all values that must alias this one.
    fn representative(&self, value: ValueId) -> ValueId;

    /// Groups of positions in `values`: two values never alias if no group has both. Only pairs with at least
    /// one of the first `query_count` values are answered.
    fn may_alias_groups(
        &mut self,
        values: &[ValueId],
        query_count: usize,
    ) -> Vec<SmallVec<[u32; 2]>>;
}

/// The new memory that a value may be.
#[derive(Clone, Debug)]
enum FreshOrigins {
    /// One of these allocations or call results, sorted.
    Few(Rc<[u32]>),
    /// Any new memory of its group.
    Many,
}

/// The origins of a value.
#[derive(Clone, Debug)]
struct OriginSet {
    fresh: FreshOrigins,
    /// The only origin if there is a single one, else the value itself.
    sole: ValueId,
    /// It may be memory of others.
    foreign: bool,
    /// It may be unknown memory.
    unknown: bool,
    /// Some of the new memory escaped.
    escaped: bool,
    marks: u8,
}

/// The origins of all values of a function.
pub struct Origins<'m> {
    function: &'m Function,
    order: SegmentOrder,
    flow: ValueFlow,
    sets: Vec<OriginSet>,
    /// For each value, its group in the value graph. Empty if no value has too many origins.
    groups: Vec<ValueId>,
    proofs: NoAliasProofs,
}

impl<'m> Origins<'m> {
    /// Finds the origins of all values.
    pub fn of(memory: &'m OriginsInput) -> Self {
        let function = &memory.function;
        let order = SegmentOrder::of(function);
        let flow = ValueFlow::of(memory, &order);
        let sets = origin_sets(memory, &flow);
        let many = sets
            .iter()
            .any(|set| matches!(set.fresh, FreshOrigins::Many));
        let groups = if many { flow.groups() } else { Vec::new() };
        Self {
            function,
            order,
            flow,
            sets,
            groups,
            proofs: NoAliasProofs::default(),
        }
    }

    /// The order of the function's segments.
    pub fn order(&self) -> &SegmentOrder {
        &self.order
    }

    /// The union of the marks of all that a value may have come from.
    pub fn marks(&self, value: ValueId) -> u8 {
        self.sets[value.index()].marks
    }

    /// The alias relation of two values, at points where both are visible.
    pub fn alias(&mut self, one: ValueId, other: ValueId) -> AliasResult {
        if self.representative(one) == self.representative(other) {
            AliasResult::Must
        } else if self.have_disjoint_origins(one, other)
            || no_alias_proof::never_alias(self, one, other)
        {
            AliasResult::No
        } else {
            AliasResult::May
        }
    }

    /// Whether two values never alias, by their origins alone.
    fn have_disjoint_origins(&self, one: ValueId, other: ValueId) -> bool {
        if self.is_allocated_later(one, other) || self.is_allocated_later(other, one) {
            return true;
        }
        let (a, b) = (&self.sets[one.index()], &self.sets[other.index()]);
        if (a.foreign || a.unknown) && (b.foreign || b.unknown)
            || a.unknown && b.escaped
            || b.unknown && a.escaped
        {
            return false;
        }
        match (&a.fresh, &b.fresh) {
            (FreshOrigins::Few(a), FreshOrigins::Few(b)) => are_disjoint(a, b),
            _ => self.groups[one.index()] != self.groups[other.index()],
        }
    }

    /// Whether `one` is new memory that did not exist when `other` was defined.
    fn is_allocated_later(&self, one: ValueId, other: ValueId) -> bool {
        let allocation = self.representative(one);
        if !matches!(
            self.function.value(allocation).kind,
            ValueKind::Fresh { .. }
        ) {
            return false;
        }
        let is_before = |other| self.order.is_before(self.function, other, allocation);
        is_before(other) || is_before(self.representative(other))
    }

    /// The keys of a value. Values that may alias share a key.
    fn keys(&self, value: ValueId, queried_groups: &FxHashSet<ValueId>, keys: &mut Vec<AliasKey>) {
        let set = &self.sets[value.index()];
        keys.clear();
        if set.foreign || set.unknown {
            keys.push(AliasKey::Foreign);
        }
        if set.escaped || set.unknown {
            keys.push(AliasKey::Escaped);
        }
        if let Some(group) = self.groups.get(value.index())
            && queried_groups.contains(group)
        {
            keys.push(AliasKey::Group(*group));
        }
        if let FreshOrigins::Few(fresh) = &set.fresh {
            keys.extend(fresh.iter().map(|class| AliasKey::Fresh(*class)));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AliasKey {
    Foreign,
    Escaped,
    Fresh(u32),
    Group(ValueId),
}

impl AliasOracle for Origins<'_> {
    fn representative(&self, value: ValueId) -> ValueId {
        self.sets[value.index()].sole
    }

    fn may_alias_groups(
        &mut self,
        values: &[ValueId],
        query_count: usize,
    ) -> Vec<SmallVec<[u32; 2]>> {
        let queried_groups: FxHashSet<ValueId> = values
            .iter()
            .filter(|value| matches!(self.sets[value.index()].fresh, FreshOrigins::Many))
            .map(|value| self.groups[value.index()])
            .collect();
        let mut numbers: FxHashMap<AliasKey, u32> = FxHashMap::default();
        let mut buckets: Vec<Vec<u32>> = Vec::new();
        let mut keys = Vec::new();
        for (at, value) in values.iter().enumerate() {
            self.keys(*value, &queried_groups, &mut keys);
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
            // Positions ascend, so those below `query_count` come first.
            let query_count = bucket.partition_point(|at| (*at as usize) < query_count);
            if query_count > 0 && bucket.len() > MAX_PAIRED {
                groups.push(SmallVec::from_vec(bucket));
                continue;
            }
            for (nth, one) in bucket[..query_count].iter().enumerate() {
                for other in &bucket[nth + 1..] {
                    let (a, b) = (values[*one as usize], values[*other as usize]);
                    if seen.insert((*one, *other)) && self.alias(a, b) != AliasResult::No {
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

/// Propagates origins through the components, in topological order.
fn origin_sets(memory: &OriginsInput, flow: &ValueFlow) -> Vec<OriginSet> {
    let mut sets: Vec<Option<OriginSet>> = vec![None; memory.function.values.len()];
    let components = flow.components();
    for component in components.iter() {
        let members = components.members(component);
        let mut join = OriginSetBuilder::default();
        for member in members {
            join.add_own_origin(memory, flow, *member);
        }
        for member in members {
            for source in flow.sources(*member) {
                // A source without a set is in this component.
                if let Some(set) = &sets[source.index()] {
                    join.add_set(set);
                }
            }
        }
        for (member, set) in members.iter().zip(join.finish(members)) {
            sets[member.index()] = Some(set);
        }
    }
    sets.into_iter().flatten().collect()
}

/// Collects the origins of a component.
#[derive(Default)]
struct OriginSetBuilder {
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

impl OriginSetBuilder {
    fn add_sole(&mut self, sole: ValueId) {
        self.several |= self.sole.replace(sole).is_some_and(|other| other != sole);
    }

    fn add_fresh(&mut self, fresh: &[u32]) {
        self.rest.extend_from_slice(fresh);
        if self.rest.len() > 4 * MAX_ORIGINS {
            self.deduplicate();
        }
    }

    fn deduplicate(&mut self) {
        self.rest.sort_unstable();
        self.rest.dedup();
        self.many |= self.rest.len() > MAX_ORIGINS;
        if self.many {
            self.rest.clear();
        }
    }

    /// Adds the origin that a value is itself.
    fn add_own_origin(&mut self, memory: &OriginsInput, flow: &ValueFlow, value: ValueId) {
        self.marks |= memory.marks.get(value.index()).copied().unwrap_or(0);
        let is_unknown = flow.is_unknown[value.index()];
        self.unknown |= is_unknown;
        self.several |= is_unknown;
        match &memory.function.value(value).kind {
            ValueKind::Fresh { may_alias, .. } => {
                self.add_fresh(&[may_alias.unwrap_or(value).0]);
                self.out |= flow.escaped[value.index()];
                self.add_sole(value);
            }
            ValueKind::Foreign => {
                self.foreign |= !is_unknown;
                self.add_sole(value);
            }
            ValueKind::AnyOf(_) | ValueKind::Param | ValueKind::FreshOrAnyOf(_) => {}
        }
    }

    fn add_set(&mut self, set: &OriginSet) {
        self.add_sole(set.sole);
        self.foreign |= set.foreign;
        self.unknown |= set.unknown;
        self.out |= set.escaped;
        self.marks |= set.marks;
        match &set.fresh {
            FreshOrigins::Many => self.many = true,
            FreshOrigins::Few(fresh) if fresh.is_empty() => {}
            FreshOrigins::Few(fresh) => match &self.first {
                None => self.first = Some(Rc::clone(fresh)),
                Some(first) if Rc::ptr_eq(first, fresh) => {}
                Some(_) => self.add_fresh(fresh),
            },
        }
    }

    /// The sets of a component's members.
    fn finish(mut self, members: &[ValueId]) -> impl Iterator<Item = OriginSet> {
        let fresh = if !self.many && self.rest.is_empty() {
            FreshOrigins::Few(self.first.unwrap_or_default())
        } else {
            if let Some(first) = self.first.take() {
                self.add_fresh(&first);
            }
            self.deduplicate();
            if self.many {
                FreshOrigins::Many
            } else {
                FreshOrigins::Few(self.rest.into())
            }
        };
        let sole = self.sole.filter(|_| !self.several);
        members.iter().map(move |member| OriginSet {
            fresh: fresh.clone(),
            sole: sole.unwrap_or(*member),
            foreign: self.foreign,
            unknown: self.unknown,
            escaped: self.out,
            marks: self.marks,
        })
    }
}
