//! Loop-carried memory in two regions that a loop swaps.
//!
//! An iteration allocates the memory for the next iteration in one region. The other region holds the memory
//! that it received from the previous one. At its end, the iteration clears the latter, and swaps the two.
//! This is valid for a class of memory and a loop if
//!
//! * each iteration yields memory of the class that it allocated, and not memory that it received: on each
//!   path, the yielded value comes from allocation sites in the loop's body itself, through views, branches
//!   and calls;
//! * the loop is entered once in each execution of the scope that the allocated memory reaches: no memref
//!   then refers to memory of an earlier execution of the loop;
//! * no memory of the class is stored in nested memrefs, from which later iterations may load it.
//!
//! If an iteration allocates after the last use of the memory that it received, it releases that memory after
//! that use, and not at its end.
//!
//! The results of the loop are in the region that was filled last, which is released with that scope. If they
//! are returned, the region of the caller keeps that region alive.

use super::{
    allocation_sites::allocation_sites,
    classes::Solved,
    facts::{Function, ROOT, ScopeId, ScopeKind, ValueId},
    reach::{Reach, stored_in_memory, value_flow_graph},
    summary::Summary,
};
use memplan_flow::Graph;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A loop, and a class of its loop-carried memory for which the loop swaps two regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopCarried {
    /// The body of the loop.
    pub scope: ScopeId,
    /// The class of the memory.
    pub class: u32,
    /// The memory may be returned.
    pub is_returned: bool,
}

/// The body of a loop, and a class.
type LoopClass = (ScopeId, u32);

/// The loops and classes for which two regions are swapped, in textual order.
pub fn loop_carried(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
) -> Vec<LoopCarried> {
    let mut yielded: Vec<(LoopClass, SmallVec<[ValueId; 2]>)> = Vec::new();
    let mut index_of: FxHashMap<LoopClass, usize> = FxHashMap::default();
    for (scope, argument, value) in &function.loop_carried {
        let key = (*scope, solved.class_of[argument.index()]);
        let at = *index_of.entry(key).or_insert_with(|| {
            yielded.push((key, SmallVec::new()));
            yielded.len() - 1
        });
        yielded[at].1.push(*value);
    }
    if yielded.is_empty() {
        return Vec::new();
    }
    let origins = Origins::of(function, summaries);
    let stored = stored_in_memory(function, summaries);
    let mut stored_classes: FxHashSet<LoopClass> = FxHashSet::default();
    let mut reach: FxHashMap<LoopClass, Reach> = FxHashMap::default();
    for site in allocation_sites(function, summaries) {
        let own = solved.reach[site.value.index()];
        let key = (site.scope, solved.class_of[site.value.index()]);
        if stored[site.value.index()] {
            stored_classes.insert(key);
        }
        let all = reach.entry(key).or_insert(own);
        *all = all.merge(own, function);
    }
    let mut found = Vec::new();
    for ((scope, class), values) in yielded {
        let info = &solved.classes[class as usize];
        let is_placed = info.rejected.is_none() && info.is_candidate && info.is_allocated;
        let body = function.scope(scope);
        // A parallel body has no stack memory that could hold the two regions.
        let is_plain = body.kind == ScopeKind::Iteration && body.is_once && body.frame == ROOT;
        let Some(reach) = reach.get(&(scope, class)) else {
            continue;
        };
        let expected_parent = if reach.is_returned {
            ROOT
        } else {
            reach.common_scope
        };
        let is_swappable = is_plain && !stored_classes.contains(&(scope, class));
        if is_placed
            && is_swappable
            && body.parent == Some(expected_parent)
            && origins.are_allocated_in(scope, &values)
        {
            found.push(LoopCarried {
                scope,
                class,
                is_returned: reach.is_returned,
            });
        }
    }
    found.sort_by_key(|one| one.scope);
    found
}

/// For loops that swap two regions, the last operation of the body that uses memory of the previous
/// iteration, by its position in the body. There is an entry only if the body allocates after that operation.
pub fn previous_last_uses(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    swapped: &FxHashSet<(ScopeId, u32)>,
) -> FxHashMap<ScopeId, usize> {
    let mut open: Vec<(ScopeId, ValueId)> = Vec::new();
    for (scope, argument, _) in &function.loop_carried {
        if swapped.contains(&(*scope, solved.class_of[argument.index()])) {
            open.push((*scope, *argument));
        }
    }
    if open.is_empty() {
        return FxHashMap::default();
    }
    let flow = value_flow_graph(function, summaries);
    let mut received: FxHashMap<ValueId, SmallVec<[ScopeId; 1]>> = FxHashMap::default();
    let mut leaving: FxHashSet<ScopeId> = FxHashSet::default();
    while let Some((scope, value)) = open.pop() {
        let scopes = received.entry(value).or_default();
        if scopes.contains(&scope) {
            continue;
        }
        scopes.push(scope);
        if !function.is_within(function.value_scopes[value.index()], scope) {
            leaving.insert(scope);
        }
        let successors = flow.successors(value).iter();
        open.extend(successors.map(|to| (scope, *to)));
    }
    let at = |scope: ScopeId, number: u32| {
        let block_ops = &function.op_numbers[scope.index()];
        let at = block_ops
            .partition_point(|start| *start <= number)
            .checked_sub(1)?;
        // The terminator stands for the uses of the memory after the iteration, too.
        Some(at).filter(|at| at + 1 < block_ops.len())
    };
    let mut last: FxHashMap<ScopeId, Option<usize>> = FxHashMap::default();
    for (value, number) in &function.uses {
        for scope in received.get(value).into_iter().flatten() {
            let here = at(*scope, *number);
            let last = last.entry(*scope).or_insert(here);
            *last = last.zip(here).map(|(one, other)| one.max(other));
        }
    }
    let allocations = function.allocations.iter().map(|one| one.number);
    let calls = function.calls.iter().map(|one| one.number);
    let mut allocating_ops: Vec<u32> = allocations.chain(calls).collect();
    allocating_ops.sort_unstable();
    let allocates_after = |scope: ScopeId, last: usize| {
        let block_ops = &function.op_numbers[scope.index()];
        let first = allocating_ops.partition_point(|number| *number < block_ops[last + 1]);
        allocating_ops
            .get(first)
            .is_some_and(|number| *number < block_ops[block_ops.len() - 1])
    };
    let last = last
        .into_iter()
        .filter_map(|(scope, last)| Some((scope, last?)));
    last.filter(|(scope, last)| !leaving.contains(scope) && allocates_after(*scope, *last))
        .collect()
}

/// Where the memory of memrefs comes from.
struct Origins<'f> {
    function: &'f Function,
    /// For each memref, the memrefs from which memory flows to it directly.
    sources: Graph<ValueId>,
    /// For each memref of an allocation site, the scope of the site.
    allocated: FxHashMap<ValueId, ScopeId>,
}

impl<'f> Origins<'f> {
    fn of(function: &'f Function, summaries: &[Summary]) -> Self {
        let allocated = function.allocations.iter();
        let mut allocated: FxHashMap<ValueId, ScopeId> = allocated
            .map(|allocation| (allocation.value, allocation.scope))
            .collect();
        for call in &function.calls {
            let shared = summaries[call.callee].alias_sets.iter();
            let results = shared
                .filter(|one| one.is_allocated)
                .flat_map(|one| &one.results);
            let results = results.filter_map(|at| call.results.get(*at).copied().flatten());
            allocated.extend(results.map(|result| (result, call.scope)));
        }
        Self {
            function,
            sources: value_flow_graph(function, summaries).reversed(),
            allocated,
        }
    }

    /// Whether the memory of all `values` is allocated in the scope itself, and nowhere else.
    fn are_allocated_in(&self, scope: ScopeId, values: &[ValueId]) -> bool {
        let mut open: Vec<ValueId> = values.to_vec();
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if !self
                .function
                .is_within(self.function.value_scopes[value.index()], scope)
            {
                return false;
            }
            let sources = self.sources.successors(value);
            let is_known = match self.allocated.get(&value) {
                Some(allocated) => *allocated == scope,
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
