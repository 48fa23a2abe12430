//! Loops that hand on, turn by turn, what they make: two regions do for that.
//!
//! A turn makes what the next one gets in one region, while the other one has what it got itself. That is cleared at the end
//! of the turn, and the regions change places. This is right for a class of memory and a loop if
//!
//! * what each turn hands on of the class was made in that turn, and not handed to it: on each way, it comes from places in the
//!   loop's body itself that make memory, through views, branches and calls;
//! * the loop is entered once in each run of the scope in which all memrefs come into being that what it makes comes to: none
//!   of them can still name what an earlier run of the loop made;
//! * none of it is stored in memory, where turns later on may find it.
//!
//! Where a turn makes something behind the last use of what it got, that is given back there, not at the end.
//!
//! What comes out of the loop is in the region that was filled last, and goes with that scope. Where it is returned, the
//! region of the caller keeps that region alive.

use super::{
    classes::Solved,
    facts::{Function, ROOT, ScopeId, ScopeKind, ValueId},
    reach::{Reach, flows, held},
    sites::sites,
    summary::Summary,
};
use memplan_flow::Graph;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A loop, and memory that it hands on so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The body of the loop.
    pub scope: ScopeId,
    /// The class of the memory.
    pub class: u32,
    /// It is returned.
    pub is_returned: bool,
}

/// A loop, and the class of memory.
type Key = (ScopeId, u32);

/// All of them, in the order of the text.
pub fn carried(function: &Function, solved: &Solved, summaries: &[Summary]) -> Vec<Carried> {
    let mut given: Vec<(Key, SmallVec<[ValueId; 2]>)> = Vec::new();
    let mut place: FxHashMap<Key, usize> = FxHashMap::default();
    for (scope, argument, value) in &function.carried {
        let key = (*scope, solved.class[argument.index()]);
        let at = *place.entry(key).or_insert_with(|| {
            given.push((key, SmallVec::new()));
            given.len() - 1
        });
        given[at].1.push(*value);
    }
    if given.is_empty() {
        return Vec::new();
    }
    let origins = Origins::of(function, summaries);
    let held = held(function, summaries);
    let mut is_held: FxHashSet<Key> = FxHashSet::default();
    let mut reach: FxHashMap<Key, Reach> = FxHashMap::default();
    for site in sites(function, summaries) {
        let own = solved.reach[site.value.index()];
        let key = (site.scope, solved.class[site.value.index()]);
        if held[site.value.index()] {
            is_held.insert(key);
        }
        let all = reach.entry(key).or_insert(own);
        *all = all.with(own, function);
    }
    let mut found = Vec::new();
    for ((scope, class), values) in given {
        let of = &solved.classes[class as usize];
        let is_placed = of.stuck.is_none() && of.is_wanted && of.is_made;
        let loops = function.scope(scope);
        // The memory of a body that runs in parallel has no place to remember which region is which.
        let is_plain = loops.kind == ScopeKind::Turn && loops.is_once && loops.frame == ROOT;
        let Some(reach) = reach.get(&(scope, class)) else {
            continue;
        };
        let around = if reach.is_returned { ROOT } else { reach.top };
        let is_free = is_plain && !is_held.contains(&(scope, class));
        if is_placed && is_free && loops.parent == Some(around) && origins.are_of(scope, &values) {
            found.push(Carried {
                scope,
                class,
                is_returned: reach.is_returned,
            });
        }
    }
    found.sort_by_key(|one| one.scope);
    found
}

/// For loops that swap, the operation of the body's row behind which a turn needs nothing of what it got: if there is one, and
/// something is made behind it.
pub fn spent(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    swapped: &FxHashSet<(ScopeId, u32)>,
) -> FxHashMap<ScopeId, usize> {
    let mut open: Vec<(ScopeId, ValueId)> = Vec::new();
    for (scope, argument, _) in &function.carried {
        if swapped.contains(&(*scope, solved.class[argument.index()])) {
            open.push((*scope, *argument));
        }
    }
    if open.is_empty() {
        return FxHashMap::default();
    }
    let next = flows(function, summaries);
    let mut got: FxHashMap<ValueId, SmallVec<[ScopeId; 1]>> = FxHashMap::default();
    let mut leaves: FxHashSet<ScopeId> = FxHashSet::default();
    while let Some((scope, value)) = open.pop() {
        let of = got.entry(value).or_default();
        if of.contains(&scope) {
            continue;
        }
        of.push(scope);
        if !function.is_within(function.values[value.index()], scope) {
            leaves.insert(scope);
        }
        let behind = next.successors(value).iter();
        open.extend(behind.map(|to| (scope, *to)));
    }
    let at = |scope: ScopeId, number: u32| {
        let row = &function.lines[scope.index()];
        let at = row
            .partition_point(|start| *start <= number)
            .checked_sub(1)?;
        // What ends the row stands for all that is behind it, too.
        Some(at).filter(|at| at + 1 < row.len())
    };
    let mut last: FxHashMap<ScopeId, Option<usize>> = FxHashMap::default();
    for (value, number) in &function.uses {
        for scope in got.get(value).into_iter().flatten() {
            let here = at(*scope, *number);
            let last = last.entry(*scope).or_insert(here);
            *last = last.zip(here).map(|(one, other)| one.max(other));
        }
    }
    let allocations = function.allocations.iter().map(|one| one.number);
    let calls = function.calls.iter().map(|one| one.number);
    let mut makes: Vec<u32> = allocations.chain(calls).collect();
    makes.sort_unstable();
    let is_worth_it = |scope: ScopeId, last: usize| {
        let row = &function.lines[scope.index()];
        let first = makes.partition_point(|number| *number < row[last + 1]);
        makes
            .get(first)
            .is_some_and(|number| *number < row[row.len() - 1])
    };
    let last = last
        .into_iter()
        .filter_map(|(scope, last)| Some((scope, last?)));
    last.filter(|(scope, last)| !leaves.contains(scope) && is_worth_it(*scope, *last))
        .collect()
}

/// Where memrefs come from.
struct Origins<'f> {
    function: &'f Function,
    /// From each memref to those whose memory it may be.
    sources: Graph<ValueId>,
    /// Where new memory comes into being as a memref.
    made: FxHashMap<ValueId, ScopeId>,
}

impl<'f> Origins<'f> {
    fn of(function: &'f Function, summaries: &[Summary]) -> Self {
        let made = function.allocations.iter();
        let mut made: FxHashMap<ValueId, ScopeId> = made
            .map(|allocation| (allocation.value, allocation.scope))
            .collect();
        for call in &function.calls {
            let shared = summaries[call.callee].shared.iter();
            let results = shared
                .filter(|one| one.is_made)
                .flat_map(|one| &one.results);
            let results = results.filter_map(|at| call.results.get(*at).copied().flatten());
            made.extend(results.map(|result| (result, call.scope)));
        }
        Self {
            function,
            sources: flows(function, summaries).reversed(),
            made,
        }
    }

    /// Do these come from what is made in a scope itself, and from nothing else?
    fn are_of(&self, scope: ScopeId, values: &[ValueId]) -> bool {
        let mut open: Vec<ValueId> = values.to_vec();
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if !self
                .function
                .is_within(self.function.values[value.index()], scope)
            {
                return false;
            }
            let sources = self.sources.successors(value);
            let is_known = match self.made.get(&value) {
                Some(made) => *made == scope,
                None => !sources.is_empty(),
            };
            if !is_known {
                return false;
            }
            open.extend(sources);
        }
        true
    }
}
