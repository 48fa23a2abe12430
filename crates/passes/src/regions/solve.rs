//! Classes of memrefs that may alias, and the reasons why their memory cannot be placed in a region.
//!
//! Two memrefs of a function are in one class if they may alias on some path. The analysis unifies the two
//! sides of each flow (Steensgaard, "Points-to Analysis in Almost Linear Time", 1996). It ignores the order
//! of execution, so its facts hold at every point. The memory of a class that is not rejected may be placed
//! in a region: nothing frees it, and only memrefs of the class refer to it. It is needed within the
//! innermost scope that contains all their definitions, and during one execution of that scope. The caller
//! needs memory that is returned.
//!
//! Calls are resolved by the summaries of callees ([`Summary`]): which arguments and results may alias, which
//! are rejected, and which results are allocated. Classes and rejections only grow when more is known. So
//! mutually recursive functions are solved repeatedly until nothing changes.

use super::{
    allocation_sites::{AllocationSite, allocation_sites},
    classes::{Class, Solved},
    facts::{Function, Reason, ScopeKind, ValueId},
    reach::reach_of_memrefs,
    settings::Settings,
    summary::{AliasSet, Summary, Version},
    unbounded_growth,
};
use memplan_flow::UnionFind;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Solves one version of a function.
pub fn solve(
    function: &Function,
    version: Version,
    summaries: &[Summary],
    settings: &Settings,
) -> Solved {
    let mut solver = Solver {
        function,
        summaries,
        solved: Solved {
            class_of: classes(function, summaries),
            classes: vec![Class::default(); function.value_scopes.len()],
            reach: reach_of_memrefs(function, summaries),
        },
    };
    solver.common_scopes();
    solver.obstacles(version);
    solver.allocations(settings.all_sizes);
    solver.barriers();
    solver.unbounded_growth(settings);
    solver.call_versions();
    solver.solved
}

struct Solver<'f> {
    function: &'f Function,
    summaries: &'f [Summary],
    solved: Solved,
}

/// For each memref, the number of its class.
fn classes(function: &Function, summaries: &[Summary]) -> Vec<u32> {
    let mut classes = UnionFind::with_capacity(function.value_scopes.len());
    for (one, other) in &function.value_flow {
        classes.unite(*one, *other);
    }
    if let Some((first, others)) = function.returns.split_first() {
        for (one, other) in others.iter().flat_map(|other| first.iter().zip(other)) {
            if let (Some(one), Some(other)) = (one, other) {
                classes.unite(*one, *other);
            }
        }
    }
    for call in &function.calls {
        for alias_set in &summaries[call.callee].alias_sets {
            let mut all = memrefs_of_set(call, alias_set);
            if let Some(first) = all.next() {
                all.for_each(|other| {
                    classes.unite(first, other);
                });
            }
        }
    }
    let values = (0..function.value_scopes.len()).map(ValueId::new);
    values.map(|value| classes.find(value).0).collect()
}

/// The memrefs of a call that may alias in the callee.
fn memrefs_of_set<'f>(
    call: &'f super::facts::Call,
    alias_set: &'f AliasSet,
) -> impl Iterator<Item = ValueId> + 'f {
    let arguments = alias_set.arguments.iter().map(|at| call.arguments.get(*at));
    let results = alias_set.results.iter().map(|at| call.results.get(*at));
    arguments
        .chain(results)
        .filter_map(|slot| slot.copied().flatten())
}

impl Solver<'_> {
    fn class(&mut self, value: ValueId) -> &mut Class {
        let class = self.solved.class_of[value.index()];
        &mut self.solved.classes[class as usize]
    }

    fn reject(&mut self, value: ValueId, reason: Reason) {
        let rejected = &mut self.class(value).rejected;
        // The least reason, so that the result does not depend on the order of rounds.
        *rejected = Some(rejected.map_or(reason, |before| before.min(reason)));
    }

    fn common_scopes(&mut self) {
        for (at, scope) in self.function.value_scopes.iter().enumerate() {
            let function = self.function;
            let class = self.class(ValueId(at as u32));
            class.common_scope = Some(
                class
                    .common_scope
                    .map_or(*scope, |top| function.common_ancestor(top, *scope)),
            );
        }
    }

    fn obstacles(&mut self, version: Version) {
        for (value, reason) in &self.function.rejected {
            self.reject(*value, *reason);
        }
        for value in self.function.returns.iter().flatten().flatten() {
            self.class(*value).is_returned = true;
            if version == Version::Heap {
                self.reject(*value, Reason::Owned);
            }
        }
        for call in &self.function.calls {
            for alias_set in &self.summaries[call.callee].alias_sets {
                if let Some(reason) = alias_set.rejected {
                    let all: SmallVec<[ValueId; 4]> = memrefs_of_set(call, alias_set).collect();
                    all.into_iter().for_each(|value| self.reject(value, reason));
                }
            }
        }
    }

    fn allocations(&mut self, all_sizes: bool) {
        for AllocationSite { value, .. } in allocation_sites(self.function, self.summaries) {
            let is_returned = self.solved.reach[value.index()].is_returned;
            self.class(value).returns_allocation |= is_returned;
        }
        for allocation in &self.function.allocations {
            let class = self.class(allocation.value);
            class.is_allocated = true;
            class.is_candidate |= allocation.is_dynamic || all_sizes;
        }
        for call in &self.function.calls {
            for alias_set in self.summaries[call.callee]
                .alias_sets
                .iter()
                .filter(|one| one.is_borrowed())
            {
                for value in memrefs_of_set(call, alias_set) {
                    let class = self.class(value);
                    class.is_allocated |= alias_set.is_allocated;
                    class.is_candidate = true;
                }
            }
        }
        for value in self.function.returns.iter().flatten().flatten() {
            let class = self.class(*value);
            class.is_candidate |= class.is_allocated;
        }
    }

    /// Parallel iterations must not share a region: memory that is allocated in one must die in it.
    fn barriers(&mut self) {
        for AllocationSite { value, scope, .. } in allocation_sites(self.function, self.summaries) {
            let Some(barrier) = self.function.scope(scope).barrier else {
                continue;
            };
            let reach = self.solved.reach[value.index()];
            let depth = |scope| self.function.scope(scope).depth;
            let is_inside = !reach.is_returned && depth(reach.common_scope) >= depth(barrier);
            if self.function.scope(barrier).kind == ScopeKind::Opaque {
                self.reject(value, Reason::Body);
            } else if !is_inside {
                self.reject(value, Reason::Parallel);
            }
        }
    }

    /// Rejects memory that would accumulate over the iterations of a loop.
    fn unbounded_growth(&mut self, settings: &Settings) {
        for value in unbounded_growth::unbounded_memrefs(
            self.function,
            &self.solved,
            self.summaries,
            settings,
        ) {
            self.reject(value, Reason::UnboundedGrowth);
        }
    }

    /// The borrowed results of one call are all in regions, or none of them is.
    fn call_versions(&mut self) {
        let mut same_call: UnionFind<ValueId> = UnionFind::default();
        let mut borrowed: Vec<u32> = Vec::new();
        for call in &self.function.calls {
            let mut first = None;
            for at in self.summaries[call.callee].borrowed_results() {
                let Some(value) = call.results.get(at).copied().flatten() else {
                    continue;
                };
                let class = self.solved.class_of[value.index()];
                borrowed.push(class);
                same_call.unite(ValueId(class), ValueId(*first.get_or_insert(class)));
            }
        }
        let mut reasons: FxHashMap<ValueId, Reason> = FxHashMap::default();
        for class in &borrowed {
            if let Some(reason) = self.solved.classes[*class as usize].rejected {
                let known = reasons
                    .entry(same_call.find(ValueId(*class)))
                    .or_insert(reason);
                *known = reason.min(*known);
            }
        }
        for class in borrowed {
            if let Some(reason) = reasons.get(&same_call.find(ValueId(class))) {
                let rejected = &mut self.solved.classes[class as usize].rejected;
                rejected.get_or_insert(*reason);
            }
        }
    }
}
