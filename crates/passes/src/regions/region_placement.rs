//! Plans one version of a function: the region of each allocation, and when each region is released.

use super::{
    allocation_sites::{AllocationSite, allocation_sites},
    classes::Solved,
    enclosing_region::uses_enclosing_region,
    facts::{Function, ROOT, Reason, ScopeId, ScopeKind, ValueId},
    interval_coloring::{LastUseRegions, ScopeRegion, last_use_regions},
    loop_carried::{loop_carried, previous_last_uses},
    settings::{Loops, Settings},
    solve::solve,
    summary::{Summary, Version},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A region that a function can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionRef {
    /// The region that the caller passes.
    Destination,
    /// The region of a scope.
    Scope(ScopeId),
    /// The region in which an iteration of a loop allocates loop-carried memory for the next one.
    NextIteration(ScopeId),
    /// One of several regions of a scope that are emptied after last uses.
    LastUse(ScopeRegion),
}

/// The plan of a call.
#[derive(Clone, Debug)]
pub struct CallPlan {
    /// The version of the callee.
    pub version: Version,
    /// The region that the callee receives, if it needs one.
    pub region: Option<RegionRef>,
    /// The numbers of the results that are borrowed.
    pub borrowed_results: Vec<usize>,
}

/// When the memory of a scope is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeRelease {
    /// The scope has no memory.
    None,
    /// It has a region: a frame releases it at its end, and an iteration of a loop clears it.
    Own,
    /// Its memory is in another region, after a checkpoint to which each iteration releases.
    Checkpoint(RegionRef),
    /// Its memory is in the region of the caller, and stays.
    Destination,
}

/// The plan of one version of a function.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The version.
    pub version: Version,
    /// It receives a region.
    pub receives_region: bool,
    /// The numbers of the results that are borrowed.
    pub borrowed_results: Vec<usize>,
    /// For each allocation its region, or the reason to skip it. The reason is `None` for an allocation of
    /// static size that stays in the function.
    pub allocations: Vec<Result<RegionRef, Option<Reason>>>,
    /// For each call its plan.
    pub calls: Vec<CallPlan>,
    /// For each scope, when its memory is released.
    pub scope_releases: Vec<ScopeRelease>,
    /// Loops that swap two regions for loop-carried memory, and whether some of that memory is returned.
    pub swaps: Vec<(ScopeId, bool)>,
    /// For some of these loops, the operation of the body after which an iteration does not use the memory of
    /// the previous one; by its position in the body.
    pub previous_last_uses: FxHashMap<ScopeId, usize>,
    /// Regions that are emptied after last uses.
    pub last_use_regions: LastUseRegions,
}

impl Plan {
    /// Whether the version equals the function as it was read.
    pub fn is_unchanged(&self) -> bool {
        self.version == Version::Heap
            && self.allocations.iter().all(Result::is_err)
            && self.calls.iter().all(|call| call.version == Version::Heap)
    }

    /// The region that holds the memory placed in `place`.
    pub fn resolve(&self, place: RegionRef) -> RegionRef {
        match place {
            RegionRef::Destination | RegionRef::NextIteration(_) | RegionRef::LastUse(_) => place,
            RegionRef::Scope(scope) => match self.scope_releases[scope.index()] {
                ScopeRelease::Checkpoint(enclosing) => enclosing,
                ScopeRelease::Destination => RegionRef::Destination,
                ScopeRelease::Own | ScopeRelease::None => place,
            },
        }
    }
}

/// Plans one version of a function.
pub fn plan_version(
    function: &Function,
    version: Version,
    summary: &Summary,
    summaries: &[Summary],
    settings: &Settings,
) -> Plan {
    let solved = solve(function, version, summaries, settings);
    let is_region = version == Version::Region;
    let mut placer = Placer {
        function,
        settings,
        solved: &solved,
        is_single_region: settings.is_single_region || function.is_single_region,
        swapped: FxHashSet::default(),
        last_use_regions: LastUseRegions::default(),
        inherent_reasons: inherent_reasons(function),
        uses_enclosing: uses_enclosing_region(function, &solved, summaries, settings),
    };
    let swaps = placer.swapping_loops(summaries);
    placer.last_use_regions = placer.last_use_regions(summaries);
    let allocations = function.allocations.iter();
    let allocations = allocations.map(|one| placer.placement(one.value, one.scope));
    let calls = (0..function.calls.len()).map(|at| placer.call(at, summaries));
    let mut plan = Plan {
        version,
        receives_region: is_region && summary.needs_region(),
        borrowed_results: summary.borrowed_results().filter(|_| is_region).collect(),
        allocations: allocations.collect(),
        calls: calls.collect(),
        scope_releases: vec![ScopeRelease::None; function.scopes.len()],
        swaps,
        previous_last_uses: previous_last_uses(function, &solved, summaries, &placer.swapped),
        last_use_regions: placer.last_use_regions.clone(),
    };
    plan.scope_releases = placer.scope_releases(&plan);
    plan
}

/// The reasons to skip memrefs that are properties of their allocations.
fn inherent_reasons(function: &Function) -> FxHashMap<ValueId, Reason> {
    let is_inherent =
        |reason: &Reason| matches!(reason, Reason::Form | Reason::Size | Reason::Marked);
    let rejected = function.rejected.iter();
    rejected
        .filter(|(_, reason)| is_inherent(reason))
        .copied()
        .collect()
}

struct Placer<'f> {
    function: &'f Function,
    settings: &'f Settings,
    solved: &'f Solved,
    is_single_region: bool,
    /// Loops that swap two regions, with the classes of memory in these.
    swapped: FxHashSet<(ScopeId, u32)>,
    last_use_regions: LastUseRegions,
    /// The reasons to skip memrefs that are properties of their allocations.
    inherent_reasons: FxHashMap<ValueId, Reason>,
    /// For each scope, whether repeated allocations are placed in the enclosing region.
    uses_enclosing: Vec<bool>,
}

impl Placer<'_> {
    /// The loops that swap two regions, and whether some of that memory is returned.
    fn swapping_loops(&mut self, summaries: &[Summary]) -> Vec<(ScopeId, bool)> {
        let mut all: Vec<(ScopeId, bool)> = Vec::new();
        for one in loop_carried(self.function, self.solved, summaries) {
            if self.release_scope(one.scope) != one.scope {
                continue;
            }
            self.swapped.insert((one.scope, one.class));
            match all.last_mut() {
                Some((scope, is_returned)) if *scope == one.scope => {
                    *is_returned |= one.is_returned
                }
                _ => all.push((one.scope, one.is_returned)),
            }
        }
        all
    }

    /// The regions that are emptied after last uses. Their classes would otherwise be in regions of their
    /// scopes alone.
    fn last_use_regions(&self, summaries: &[Summary]) -> LastUseRegions {
        if self.is_single_region {
            return LastUseRegions::default();
        }
        let mut elsewhere: FxHashSet<u32> = self.swapped.iter().map(|(_, class)| *class).collect();
        for AllocationSite { value, .. } in allocation_sites(self.function, summaries) {
            if self.solved.class(value).common_scope
                != Some(self.solved.reach[value.index()].common_scope)
            {
                elsewhere.insert(self.solved.class_of[value.index()]);
            }
        }
        let release = self.settings.release;
        last_use_regions(
            self.function,
            self.solved,
            summaries,
            release,
            |class, scope| self.release_scope(scope) == scope && !elsewhere.contains(&class),
        )
    }

    /// The region of memory that is allocated in a scope, or the reason to skip it.
    fn placement(&self, value: ValueId, scope: ScopeId) -> Result<RegionRef, Option<Reason>> {
        let class = self.solved.class(value);
        match class.rejected {
            // A property of the allocation is a better explanation than a property of its uses.
            Some(reason) => Err(Some(
                self.inherent_reasons.get(&value).copied().unwrap_or(reason),
            )),
            None if class.is_candidate => Ok(self.region_of(value, scope)),
            None => Err(None),
        }
    }

    fn region_of(&self, value: ValueId, scope: ScopeId) -> RegionRef {
        let reach = self.solved.reach[value.index()];
        let number = self.solved.class_of[value.index()];
        let dies_here = !reach.is_returned && reach.common_scope == scope;
        if !dies_here && self.swapped.contains(&(scope, number)) {
            return RegionRef::NextIteration(scope);
        }
        if let Some(region) = self.last_use_regions.region_of_class.get(&number) {
            return RegionRef::LastUse(*region);
        }
        if reach.is_returned {
            RegionRef::Destination
        } else {
            RegionRef::Scope(self.release_scope(reach.common_scope))
        }
    }

    /// The scope with whose memory the memory of `scope` is released.
    fn release_scope(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let of = self.function.scope(scope);
            let uses_enclosing = self.uses_enclosing[scope.index()];
            match of.parent {
                Some(parent) if of.kind == ScopeKind::Iteration && uses_enclosing => scope = parent,
                _ => return scope,
            }
        }
    }

    fn call(&self, at: usize, summaries: &[Summary]) -> CallPlan {
        let version = self.solved.version(self.function, at, summaries);
        let call = &self.function.calls[at];
        let summary = &summaries[call.callee];
        if version == Version::Heap {
            return CallPlan {
                version,
                region: None,
                borrowed_results: Vec::new(),
            };
        }
        let allocated = summary.allocated_results(call);
        let places = allocated.map(|value| self.region_of(value, call.scope));
        CallPlan {
            version,
            // A call passes one region for all memory of the callee: the region that lives longest.
            region: places.reduce(|one, other| self.longer_lived(one, other)),
            borrowed_results: summary.borrowed_results().collect(),
        }
    }

    fn longer_lived(&self, one: RegionRef, other: RegionRef) -> RegionRef {
        match (one, other) {
            (RegionRef::Destination, _) | (_, RegionRef::Destination) => RegionRef::Destination,
            _ => {
                if self.lifetime_rank(one) <= self.lifetime_rank(other) {
                    one
                } else {
                    other
                }
            }
        }
    }

    /// Orders regions by lifetime, longest first. Loop-carried memory lives longer than memory that dies in
    /// an iteration. Regions that are emptied early come last.
    fn lifetime_rank(&self, place: RegionRef) -> (u32, u32) {
        let depth = |scope: ScopeId| self.function.scope(scope).depth;
        match place {
            RegionRef::Destination => (0, 0),
            RegionRef::NextIteration(scope) => (depth(scope) + 1, 0),
            RegionRef::Scope(scope) => (depth(scope) + 1, 1),
            RegionRef::LastUse(region) => (depth(region.scope) + 1, 2),
        }
    }

    /// When the memory of each scope is released.
    fn scope_releases(&self, plan: &Plan) -> Vec<ScopeRelease> {
        let count = self.function.scopes.len();
        let mut has_memory = vec![false; count];
        // Whether memory that is allocated in an iteration outlives it: in a region of this function, or of
        // the caller.
        let mut outlived = vec![false; count];
        let mut outlived_for_caller = vec![false; count];
        let allocated = self.function.allocations.iter().zip(&plan.allocations);
        let allocated =
            allocated.filter_map(|(one, place)| Some((one.scope, *place.as_ref().ok()?)));
        let called = self.function.calls.iter().zip(&plan.calls);
        let called = called.filter_map(|(one, plan)| Some((one.scope, plan.region?)));
        for (from, place) in allocated.chain(called) {
            let until = match place {
                RegionRef::Scope(scope) => {
                    has_memory[scope.index()] = true;
                    Some(scope)
                }
                RegionRef::Destination => None,
                RegionRef::NextIteration(_) | RegionRef::LastUse(_) => continue,
            };
            let mut at = Some(from).filter(|from| Some(*from) != until);
            while let Some(scope) = at {
                match until {
                    Some(_) => outlived[scope.index()] = true,
                    None => outlived_for_caller[scope.index()] = true,
                }
                let parent = self.function.scope(scope).parent;
                at = parent.filter(|parent| Some(*parent) != until);
            }
        }
        let uses_destination = self.is_single_region && plan.receives_region;
        let mut releases = vec![ScopeRelease::None; count];
        // A checkpoint needs an enclosing region that exists anyway, unless the options ask for checkpoints.
        if self.settings.loops == Loops::Checkpoint {
            for at in 0..count {
                let frame = self.function.scopes[at].frame.index();
                has_memory[frame] |= has_memory[at] && !outlived[at];
            }
        }
        for at in 0..count {
            if !has_memory[at] {
                continue;
            }
            let scope = &self.function.scopes[at];
            releases[at] = if scope.kind != ScopeKind::Iteration {
                if ScopeId(at as u32) == ROOT && uses_destination {
                    ScopeRelease::Destination
                } else {
                    ScopeRelease::Own
                }
            } else {
                match self.enclosing_region(scope.parent, &releases) {
                    Some(enclosing)
                        if self.may_use_checkpoint(
                            enclosing,
                            outlived[at],
                            outlived_for_caller[at],
                        ) =>
                    {
                        ScopeRelease::Checkpoint(enclosing)
                    }
                    _ => ScopeRelease::Own,
                }
            };
        }
        releases
    }

    /// Whether an iteration may release to a checkpoint of its start.
    fn may_use_checkpoint(
        &self,
        enclosing: RegionRef,
        outlived: bool,
        outlived_for_caller: bool,
    ) -> bool {
        self.settings.loops != Loops::PerIteration
            && !outlived
            && (enclosing != RegionRef::Destination || !outlived_for_caller)
    }

    /// The innermost enclosing region.
    fn enclosing_region(
        &self,
        mut at: Option<ScopeId>,
        releases: &[ScopeRelease],
    ) -> Option<RegionRef> {
        while let Some(scope) = at {
            match releases[scope.index()] {
                ScopeRelease::Own => return Some(RegionRef::Scope(scope)),
                ScopeRelease::Checkpoint(enclosing) => return Some(enclosing),
                ScopeRelease::Destination => return Some(RegionRef::Destination),
                ScopeRelease::None => {}
            }
            let of = self.function.scope(scope);
            // Parallel iterations must not share a region.
            at = of.parent.filter(|_| of.kind != ScopeKind::Parallel);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regions::facts::{Allocation, Scope};
    use crate::regions::settings::{PublicAbi, Release};

    const LOOP: ScopeId = ScopeId(1);

    /// A function with a loop. Its memrefs: the argument, the iteration argument, an allocation in the loop,
    /// and the result of the loop.
    fn function_with_a_loop() -> Function {
        let scope = |kind, parent| Scope {
            kind,
            parent,
            depth: parent.map_or(0, |_| 1),
            barrier: None,
            frame: ROOT,
            is_single_region: false,
            is_once: true,
            iterations: None,
        };
        let allocated = ValueId(2);
        Function {
            scopes: vec![
                scope(ScopeKind::Function, None),
                scope(ScopeKind::Iteration, Some(ROOT)),
            ],
            value_scopes: vec![ROOT, LOOP, LOOP, ROOT],
            op_numbers: vec![vec![0, 4], vec![1, 2, 3]],
            allocations: vec![Allocation {
                value: allocated,
                scope: LOOP,
                number: 1,
                is_once: true,
                is_dynamic: true,
                bytes: None,
            }],
            arguments: vec![Some(ValueId(0))],
            ..Function::default()
        }
    }

    fn plan_of(function: &Function, version: Version) -> Plan {
        let settings = Settings {
            all_sizes: false,
            loops: Loops::Auto,
            release: Release::Auto,
            public_abi: PublicAbi::Keep,
            is_single_region: false,
            is_auto: false,
            alignment: 64,
            remarks: false,
        };
        let summary = solve(function, Version::Region, &[], &settings).summary(function);
        plan_version(function, version, &summary, &[], &settings)
    }

    #[test]
    fn memory_of_an_iteration_is_cleared() {
        let plan = plan_of(&function_with_a_loop(), Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::Scope(LOOP))]);
        assert_eq!(plan.scope_releases, [ScopeRelease::None, ScopeRelease::Own]);
    }

    /// The function argument is the initial value, and each iteration yields a new allocation.
    fn function_with_loop_carried_memory() -> Function {
        let [argument, received, allocated, out] = [0, 1, 2, 3].map(ValueId);
        Function {
            value_flow: vec![
                (argument, received),
                (argument, out),
                (allocated, received),
                (allocated, out),
            ],
            loop_carried: vec![(LOOP, received, allocated)],
            ..function_with_a_loop()
        }
    }

    #[test]
    fn loop_carried_memory_is_swapped() {
        let plan = plan_of(&function_with_loop_carried_memory(), Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::NextIteration(LOOP))]);
        assert_eq!(plan.swaps, [(LOOP, false)]);
    }

    #[test]
    fn memory_that_an_iteration_may_forward_is_not_swapped() {
        // An iteration yields the new allocation, or the memory that it received.
        let mut function = function_with_loop_carried_memory();
        function.value_flow.push((ValueId(1), ValueId(2)));
        let plan = plan_of(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::UnboundedGrowth))]);
        assert!(plan.swaps.is_empty());
    }

    #[test]
    fn a_loop_that_is_entered_again_does_not_swap() {
        let mut function = function_with_loop_carried_memory();
        function.scopes[1].is_once = false;
        let plan = plan_of(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::UnboundedGrowth))]);
    }

    #[test]
    fn returned_memory_is_in_the_region_of_the_caller() {
        let mut function = function_with_a_loop();
        function.scopes[1].iterations = Some(1);
        function.value_flow.push((ValueId(2), ValueId(3)));
        function.returns.push(vec![Some(ValueId(3))]);
        let plan = plan_of(&function, Version::Region);
        assert!(plan.receives_region);
        assert_eq!(
            (plan.allocations, plan.borrowed_results),
            (vec![Ok(RegionRef::Destination)], vec![0])
        );
        // The version whose caller frees the result allocates on the heap.
        let plan = plan_of(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::Owned))]);
    }

    #[test]
    fn memory_of_a_parallel_body_stays_in_it() {
        let mut function = function_with_a_loop();
        function.scopes[1].kind = ScopeKind::Parallel;
        function.scopes[1].barrier = Some(LOOP);
        function.scopes[1].frame = LOOP;
        let plan = plan_of(&function, Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::Scope(LOOP))]);
        function.value_flow.push((ValueId(2), ValueId(3)));
        let plan = plan_of(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::Parallel))]);
    }
}
