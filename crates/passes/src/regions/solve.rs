//! Which memory of a function is one, how far it goes, and what keeps it out of regions.
//!
//! The memrefs of a function are put into classes: two are in one if they may be one memory on some way through it. That
//! looks at no order of execution, so what holds for a class holds at every point. A class without an obstacle may live
//! in a region: nobody frees its memory, and nobody knows of it but the memrefs of the class. It is then needed within the
//! innermost scope in which all of them come into being, and for as long as one run of that scope takes; what is
//! returned is needed by the caller.
//!
//! A function is read with what its callees do ([`Summary`]): which of their arguments and results are one memory, what
//! of it has an obstacle, and which results they make. Classes and obstacles only grow when more is known, so that functions
//! that call each other are solved anew until nothing changes.

use super::{
    classes::{Class, Solved},
    facts::{Function, Reason, ScopeKind, ValueId},
    reach::reaches,
    settings::Settings,
    sites::{Site, sites},
    summary::{Shared, Summary, Version},
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
            class: classes(function, summaries),
            classes: vec![Class::default(); function.values.len()],
            reach: reaches(function, summaries),
        },
    };
    solver.extents();
    solver.obstacles(version);
    solver.made(settings.all_sizes);
    solver.barriers();
    solver.piles(settings);
    solver.versions();
    solver.solved
}

struct Solver<'f> {
    function: &'f Function,
    summaries: &'f [Summary],
    solved: Solved,
}

/// For each memref, the number of its class.
fn classes(function: &Function, summaries: &[Summary]) -> Vec<u32> {
    let mut classes = UnionFind::with_capacity(function.values.len());
    for (one, other) in &function.joined {
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
        for shared in &summaries[call.callee].shared {
            let mut all = members(call, shared);
            if let Some(first) = all.next() {
                all.for_each(|other| {
                    classes.unite(first, other);
                });
            }
        }
    }
    let values = (0..function.values.len()).map(ValueId::new);
    values.map(|value| classes.find(value).0).collect()
}

/// The memrefs of a call that are so in the callee.
fn members<'f>(
    call: &'f super::facts::Call,
    shared: &'f Shared,
) -> impl Iterator<Item = ValueId> + 'f {
    let arguments = shared.arguments.iter().map(|at| call.arguments.get(*at));
    let results = shared.results.iter().map(|at| call.results.get(*at));
    arguments
        .chain(results)
        .filter_map(|slot| slot.copied().flatten())
}

impl Solver<'_> {
    fn class(&mut self, value: ValueId) -> &mut Class {
        let class = self.solved.class[value.index()];
        &mut self.solved.classes[class as usize]
    }

    fn stick(&mut self, value: ValueId, reason: Reason) {
        let stuck = &mut self.class(value).stuck;
        // The first of all, so that it does not depend on when more was known.
        *stuck = Some(stuck.map_or(reason, |before| before.min(reason)));
    }

    fn extents(&mut self) {
        for (at, scope) in self.function.values.iter().enumerate() {
            let function = self.function;
            let class = self.class(ValueId(at as u32));
            class.top = Some(class.top.map_or(*scope, |top| function.around(top, *scope)));
        }
    }

    fn obstacles(&mut self, version: Version) {
        for (value, reason) in &self.function.stuck {
            self.stick(*value, *reason);
        }
        for value in self.function.returns.iter().flatten().flatten() {
            self.class(*value).is_returned = true;
            if version == Version::Heap {
                self.stick(*value, Reason::Owned);
            }
        }
        for call in &self.function.calls {
            for shared in &self.summaries[call.callee].shared {
                if let Some(reason) = shared.stuck {
                    let all: SmallVec<[ValueId; 4]> = members(call, shared).collect();
                    all.into_iter().for_each(|value| self.stick(value, reason));
                }
            }
        }
    }

    fn made(&mut self, all_sizes: bool) {
        for Site { value, .. } in sites(self.function, self.summaries) {
            let is_returned = self.solved.reach[value.index()].is_returned;
            self.class(value).is_given |= is_returned;
        }
        for allocation in &self.function.allocations {
            let class = self.class(allocation.value);
            class.is_made = true;
            class.is_wanted |= allocation.is_dynamic || all_sizes;
        }
        for call in &self.function.calls {
            for shared in self.summaries[call.callee]
                .shared
                .iter()
                .filter(|one| one.is_lent())
            {
                for value in members(call, shared) {
                    let class = self.class(value);
                    class.is_made |= shared.is_made;
                    class.is_wanted = true;
                }
            }
        }
        for value in self.function.returns.iter().flatten().flatten() {
            let class = self.class(*value);
            class.is_wanted |= class.is_made;
        }
    }

    /// What is made where several run at once is filled into memory that only one of them has.
    fn barriers(&mut self) {
        for Site { value, scope, .. } in sites(self.function, self.summaries) {
            let Some(barrier) = self.function.scope(scope).barrier else {
                continue;
            };
            let reach = self.solved.reach[value.index()];
            let depth = |scope| self.function.scope(scope).depth;
            let is_inside = !reach.is_returned && depth(reach.top) >= depth(barrier);
            if self.function.scope(barrier).kind == ScopeKind::Opaque {
                self.stick(value, Reason::Body);
            } else if !is_inside {
                self.stick(value, Reason::Parallel);
            }
        }
    }

    /// What turns of a loop would pile up is freed piece by piece.
    fn piles(&mut self, settings: &Settings) {
        for value in unbounded_growth::piles(self.function, &self.solved, self.summaries, settings)
        {
            self.stick(value, Reason::PilesUp);
        }
    }

    /// What one call lends is all in regions, or none of it.
    fn versions(&mut self) {
        let mut together: UnionFind<ValueId> = UnionFind::default();
        let mut lent: Vec<u32> = Vec::new();
        for call in &self.function.calls {
            let mut first = None;
            for at in self.summaries[call.callee].lent() {
                let Some(value) = call.results.get(at).copied().flatten() else {
                    continue;
                };
                let class = self.solved.class[value.index()];
                lent.push(class);
                together.unite(ValueId(class), ValueId(*first.get_or_insert(class)));
            }
        }
        let mut reasons: FxHashMap<ValueId, Reason> = FxHashMap::default();
        for class in &lent {
            if let Some(reason) = self.solved.classes[*class as usize].stuck {
                let known = reasons
                    .entry(together.find(ValueId(*class)))
                    .or_insert(reason);
                *known = reason.min(*known);
            }
        }
        for class in lent {
            if let Some(reason) = reasons.get(&together.find(ValueId(class))) {
                let stuck = &mut self.solved.classes[class as usize].stuck;
                stuck.get_or_insert(*reason);
            }
        }
    }
}
