//! What a private function tells its callers of each memref that it returns: whether they become its
//! owner, by a flag, and whose memory it may be where they do not.

use super::{
    callees::{ByCall, Facts},
    read::{Reading, Way},
};
use memplan_mlir::ir::{Identity, Key, Op, Origin, origin};
use memplan_ownership::{
    Plan,
    function::{EdgeId, Kind, SegmentId, ValueId},
    plan::Flag,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

pub use memplan_semantics::attributes::OWNED_RESULTS as MARK;

/// Of one memref that a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Whether the caller becomes the owner.
    pub owned: Flag,
    /// The arguments whose memory it may be.
    pub arguments: SmallVec<[usize; 2]>,
    /// The other memrefs returned whose memory it may be.
    pub results: SmallVec<[usize; 2]>,
    /// It may be memory that is neither new nor an argument.
    pub elsewhere: bool,
    /// Its data may start elsewhere than that of what it is a view of.
    pub is_shifted: bool,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            owned: Flag::No,
            arguments: SmallVec::new(),
            results: SmallVec::new(),
            elsewhere: false,
            is_shifted: false,
        }
    }
}

impl Told {
    /// So many of which nothing is known.
    pub fn anything(count: usize) -> Vec<Self> {
        let told = |at| Self {
            owned: Flag::OpKind,
            arguments: SmallVec::new(),
            results: (0..count).filter(|other| *other != at).collect(),
            elsewhere: true,
            is_shifted: true,
        };
        (0..count).map(told).collect()
    }
}

/// What is known of calls.
pub struct Callees<'f> {
    told: FxHashMap<Key, Rc<[Told]>>,
    facts: Option<&'f ByCall>,
}

impl<'f> Callees<'f> {
    /// Of a function's calls, with what callees do; none of them returns flags.
    pub fn new(facts: Option<&'f ByCall>) -> Self {
        Self {
            told: FxHashMap::default(),
            facts,
        }
    }

    /// What a call is told.
    pub fn of(&self, call: Op<'_>) -> Option<&[Told]> {
        self.told.get(&call.key()).map(AsRef::as_ref)
    }

    /// What the callee does.
    pub fn facts(&self, call: Op<'_>) -> Option<&'f Facts> {
        self.facts?.get(&call.key()).map(AsRef::as_ref)
    }

    /// May what a function has from its callees, or makes of that, start elsewhere than what it is a view of?
    pub fn may_shift(&self, reading: &Reading<'_>) -> bool {
        let mut told = reading.told.iter();
        reading.has_shifts
            || told.any(|(call, _)| {
                let told = self.of(*call);
                told.is_some_and(|told| told.iter().any(|one| one.is_shifted))
            })
    }

    /// A call is told so.
    pub fn insert(&mut self, call: Op<'_>, told: Rc<[Told]>) {
        self.told.insert(call.key(), told);
    }
}

/// Of the memrefs that a function returns, as far as reading it shows; `callees` are its own.
pub fn of(reading: &Reading<'_>, callees: &Callees<'_>) -> Vec<Told> {
    let is_shifted = callees.may_shift(reading);
    let mut all: Vec<Told> = Vec::new();
    // For each result, the values whose new memory it may be.
    let mut made: Vec<Vec<ValueId>> = Vec::new();
    for edge in returns(reading) {
        let passed = &reading.function.edge(edge).passed;
        if all.len() < passed.len() {
            all.resize(passed.len(), Told::default());
            made.resize(passed.len(), Vec::new());
        }
        for (at, value) in passed.iter().enumerate() {
            let Some(value) = *value else {
                all[at].elsewhere = true;
                continue;
            };
            for from in reading.origins(value) {
                match &reading.function.value(from).kind {
                    Kind::Fresh {
                        owned: true,
                        same_as,
                    } => made[at].push(same_as.unwrap_or(from)),
                    Kind::Told(_) => made[at].push(from),
                    _ => match argument(reading, from) {
                        Some(number) => all[at].arguments.push(number),
                        None => all[at].elsewhere = true,
                    },
                }
            }
        }
    }
    for (at, told) in all.iter_mut().enumerate() {
        told.arguments.sort_unstable();
        told.arguments.dedup();
        if !made[at].is_empty() {
            told.owned = Flag::OpKind;
        }
        let is_shared = |other: &usize| {
            *other != at && made[*other].iter().any(|value| made[at].contains(value))
        };
        told.results = (0..made.len()).filter(is_shared).collect();
        told.is_shifted = is_shifted;
    }
    all
}

/// With what a plan shows: results that are always owned, or never.
pub fn sharpen(all: &mut [Told], reading: &Reading<'_>, plan: &Plan) {
    for (at, told) in all.iter_mut().enumerate() {
        if told.owned != Flag::OpKind {
            continue;
        }
        // Gathers let several own what is the same memory: that is one's alone only if no other may be it.
        let is_shared = !plan.gathers.is_empty() && !told.results.is_empty();
        let mut flags = returns(reading).map(|edge| plan.passed(edge, at));
        if let Some(first) = flags.next()
            && !is_shared
            && flags.all(|flag| flag == first)
        {
            told.owned = first;
        }
    }
}

/// The edges out of the function.
fn returns(reading: &Reading<'_>) -> impl Iterator<Item = EdgeId> {
    (0..reading.ways.len())
        .filter(|index| matches!(reading.ways[*index], Way::Return(_)))
        .map(EdgeId::new)
}

/// The number of a function's argument.
pub fn argument(reading: &Reading<'_>, value: ValueId) -> Option<usize> {
    if reading.function.value(value).segment != SegmentId(0) {
        return None;
    }
    match origin(reading.values[value.index()]?)? {
        Origin::Argument(_, number) => Some(number),
        Origin::Result(..) => None,
    }
}
