//! Where the memory of one version of a function lives, and when that is given back.

use super::{
    classes::Solved,
    enclosing_region::shares,
    facts::{Function, ROOT, Reason, ScopeId, ScopeKind, ValueId},
    interval_coloring::{Lanes, ScopeRegion, lanes},
    loop_carried::{carried, spent},
    settings::{Loops, Settings},
    sites::{Site, sites},
    solve::solve,
    summary::{Summary, Version},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A region that a function can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionRef {
    /// The one that the caller passes.
    Destination,
    /// That of a scope.
    Scope(ScopeId),
    /// That in which a turn of a loop makes what it hands on.
    Next(ScopeId),
    /// One of several of a scope, which is emptied behind last uses.
    Lane(ScopeRegion),
}

/// What becomes of a call.
#[derive(Clone, Debug)]
pub struct CallPlan {
    /// What is called.
    pub version: Version,
    /// The region that it gets, if it takes one.
    pub place: Option<RegionRef>,
    /// The results that are lent.
    pub lent: Vec<usize>,
}

/// When the memory of a scope is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeRelease {
    /// It has none.
    None,
    /// It has a region: a frame releases it at its end, a turn of a loop clears it.
    Own,
    /// It is in another region, behind a mark to which each turn releases.
    Marked(RegionRef),
    /// It is in the caller's region, and stays.
    Destination,
}

/// What becomes of one version of a function.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which.
    pub version: Version,
    /// It takes a region.
    pub takes: bool,
    /// The results that it lends.
    pub lent: Vec<usize>,
    /// For each allocation, where it goes; or else why it stays, if that is to be told.
    pub allocations: Vec<Result<RegionRef, Option<Reason>>>,
    /// For each call.
    pub calls: Vec<CallPlan>,
    /// For each scope.
    pub homes: Vec<ScopeRelease>,
    /// Loops that hand on what they make in one of two regions, which they swap; and whether the caller gets some of it.
    pub swaps: Vec<(ScopeId, bool)>,
    /// Of these, those whose turns need what they got no more behind an operation of their row.
    pub spent: FxHashMap<ScopeId, usize>,
    /// Regions that are emptied behind last uses.
    pub lanes: Lanes,
}

impl Plan {
    /// Is there nothing to do?
    pub fn is_nothing(&self) -> bool {
        self.version == Version::Heap
            && self.allocations.iter().all(Result::is_err)
            && self.calls.iter().all(|call| call.version == Version::Heap)
    }

    /// The region in which what is placed there is really.
    pub fn region(&self, place: RegionRef) -> RegionRef {
        match place {
            RegionRef::Destination | RegionRef::Next(_) | RegionRef::Lane(_) => place,
            RegionRef::Scope(scope) => match self.homes[scope.index()] {
                ScopeRelease::Marked(host) => host,
                ScopeRelease::Destination => RegionRef::Destination,
                ScopeRelease::Own | ScopeRelease::None => place,
            },
        }
    }
}

/// Places the memory of a version of a function.
pub fn place(
    function: &Function,
    version: Version,
    own: &Summary,
    summaries: &[Summary],
    settings: &Settings,
) -> Plan {
    let solved = solve(function, version, summaries, settings);
    let is_region = version == Version::Region;
    let mut placer = Placer {
        function,
        settings,
        solved: &solved,
        is_single: settings.is_single || function.is_single,
        swapped: FxHashSet::default(),
        lanes: Lanes::default(),
        own: of_themselves(function),
        shares: shares(function, &solved, summaries, settings),
    };
    let swaps = placer.swaps(summaries);
    placer.lanes = placer.find_lanes(summaries);
    let allocations = function.allocations.iter();
    let allocations = allocations.map(|one| placer.class(one.value, one.scope));
    let calls = (0..function.calls.len()).map(|at| placer.call(at, summaries));
    let mut plan = Plan {
        version,
        takes: is_region && own.makes(),
        lent: own.lent().filter(|_| is_region).collect(),
        allocations: allocations.collect(),
        calls: calls.collect(),
        homes: vec![ScopeRelease::None; function.scopes.len()],
        swaps,
        spent: spent(function, &solved, summaries, &placer.swapped),
        lanes: placer.lanes.clone(),
    };
    plan.homes = placer.homes(&plan);
    plan
}

/// What allocations say of themselves that is in the way.
fn of_themselves(function: &Function) -> FxHashMap<ValueId, Reason> {
    let of_itself =
        |reason: &Reason| matches!(reason, Reason::Form | Reason::Size | Reason::Marked);
    let stuck = function.stuck.iter();
    stuck
        .filter(|(_, reason)| of_itself(reason))
        .copied()
        .collect()
}

struct Placer<'f> {
    function: &'f Function,
    settings: &'f Settings,
    solved: &'f Solved,
    is_single: bool,
    /// Loops and the classes of memory that they hand on in one of two regions.
    swapped: FxHashSet<(ScopeId, u32)>,
    lanes: Lanes,
    /// What is in the way of a memref by itself, whatever becomes of it.
    own: FxHashMap<ValueId, Reason>,
    /// Scopes whose turns leave what they make to the region around.
    shares: Vec<bool>,
}

impl Placer<'_> {
    /// The loops that hand on what they make in one of two regions.
    fn swaps(&mut self, summaries: &[Summary]) -> Vec<(ScopeId, bool)> {
        let mut all: Vec<(ScopeId, bool)> = Vec::new();
        for one in carried(self.function, self.solved, summaries) {
            if self.shared(one.scope) != one.scope {
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

    /// The classes that are given back behind last uses: what is only in regions of their scopes otherwise.
    fn find_lanes(&self, summaries: &[Summary]) -> Lanes {
        if self.is_single {
            return Lanes::default();
        }
        let mut elsewhere: FxHashSet<u32> = self.swapped.iter().map(|(_, class)| *class).collect();
        for Site { value, .. } in sites(self.function, summaries) {
            if self.solved.of(value).top != Some(self.solved.reach[value.index()].top) {
                elsewhere.insert(self.solved.class[value.index()]);
            }
        }
        let release = self.settings.release;
        lanes(
            self.function,
            self.solved,
            summaries,
            release,
            |class, scope| self.shared(scope) == scope && !elsewhere.contains(&class),
        )
    }

    /// Where memory that is made in a scope goes, or why it stays.
    fn class(&self, value: ValueId, scope: ScopeId) -> Result<RegionRef, Option<Reason>> {
        let class = self.solved.of(value);
        match class.stuck {
            // What an allocation says of itself tells more than what becomes of it.
            Some(reason) => Err(Some(self.own.get(&value).copied().unwrap_or(reason))),
            None if class.is_wanted => Ok(self.place(value, scope)),
            None => Err(None),
        }
    }

    fn place(&self, value: ValueId, scope: ScopeId) -> RegionRef {
        let reach = self.solved.reach[value.index()];
        let number = self.solved.class[value.index()];
        let dies_here = !reach.is_returned && reach.top == scope;
        if !dies_here && self.swapped.contains(&(scope, number)) {
            return RegionRef::Next(scope);
        }
        if let Some(lane) = self.lanes.of.get(&number) {
            return RegionRef::Lane(*lane);
        }
        if reach.is_returned {
            RegionRef::Destination
        } else {
            RegionRef::Scope(self.shared(reach.top))
        }
    }

    /// The scope whose memory is given back for what is needed in one.
    fn shared(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let of = self.function.scope(scope);
            let shares = self.shares[scope.index()];
            match of.parent {
                Some(parent) if of.kind == ScopeKind::Turn && shares => scope = parent,
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
                place: None,
                lent: Vec::new(),
            };
        }
        let made = summary.made_for(call);
        let places = made.map(|value| self.place(value, call.scope));
        CallPlan {
            version,
            // One region for all that it makes: the one that is there for longest.
            place: places.reduce(|one, other| self.outer(one, other)),
            lent: summary.lent().collect(),
        }
    }

    fn outer(&self, one: RegionRef, other: RegionRef) -> RegionRef {
        match (one, other) {
            (RegionRef::Destination, _) | (_, RegionRef::Destination) => RegionRef::Destination,
            _ => {
                if self.rank(one) <= self.rank(other) {
                    one
                } else {
                    other
                }
            }
        }
    }

    /// The less, the longer memory is there: what a turn hands on longer than what dies in it, and that as long as what
    /// has a region that is emptied before.
    fn rank(&self, place: RegionRef) -> (u32, u32) {
        let depth = |scope: ScopeId| self.function.scope(scope).depth;
        match place {
            RegionRef::Destination => (0, 0),
            RegionRef::Next(scope) => (depth(scope) + 1, 0),
            RegionRef::Scope(scope) => (depth(scope) + 1, 1),
            RegionRef::Lane(lane) => (depth(lane.scope) + 1, 2),
        }
    }

    /// When the memory of each scope is given back.
    fn homes(&self, plan: &Plan) -> Vec<ScopeRelease> {
        let count = self.function.scopes.len();
        let mut is_used = vec![false; count];
        // What is made in a turn, and stays behind it: in a region of this function, or in the caller's.
        let mut keeps = vec![false; count];
        let mut keeps_for_caller = vec![false; count];
        let made = self.function.allocations.iter().zip(&plan.allocations);
        let made = made.filter_map(|(one, place)| Some((one.scope, *place.as_ref().ok()?)));
        let called = self.function.calls.iter().zip(&plan.calls);
        let called = called.filter_map(|(one, plan)| Some((one.scope, plan.place?)));
        for (from, place) in made.chain(called) {
            let until = match place {
                RegionRef::Scope(scope) => {
                    is_used[scope.index()] = true;
                    Some(scope)
                }
                RegionRef::Destination => None,
                RegionRef::Next(_) | RegionRef::Lane(_) => continue,
            };
            let mut at = Some(from).filter(|from| Some(*from) != until);
            while let Some(scope) = at {
                match until {
                    Some(_) => keeps[scope.index()] = true,
                    None => keeps_for_caller[scope.index()] = true,
                }
                let parent = self.function.scope(scope).parent;
                at = parent.filter(|parent| Some(*parent) != until);
            }
        }
        let shares_destination = self.is_single && plan.takes;
        let mut homes = vec![ScopeRelease::None; count];
        // A mark needs a region around it that is there anyway, but where marks are asked for.
        if self.settings.loops == Loops::Checkpoint {
            for at in 0..count {
                let frame = self.function.scopes[at].frame.index();
                is_used[frame] |= is_used[at] && !keeps[at];
            }
        }
        for at in 0..count {
            if !is_used[at] {
                continue;
            }
            let scope = &self.function.scopes[at];
            homes[at] = if scope.kind != ScopeKind::Turn {
                if ScopeId(at as u32) == ROOT && shares_destination {
                    ScopeRelease::Destination
                } else {
                    ScopeRelease::Own
                }
            } else {
                match self.host(scope.parent, &homes) {
                    Some(host) if self.may_mark(host, keeps[at], keeps_for_caller[at]) => {
                        ScopeRelease::Marked(host)
                    }
                    _ => ScopeRelease::Own,
                }
            };
        }
        homes
    }

    /// May a turn release to a mark of its start?
    fn may_mark(&self, host: RegionRef, keeps: bool, keeps_for_caller: bool) -> bool {
        self.settings.loops != Loops::PerIteration
            && !keeps
            && (host != RegionRef::Destination || !keeps_for_caller)
    }

    /// The innermost region around.
    fn host(&self, mut at: Option<ScopeId>, homes: &[ScopeRelease]) -> Option<RegionRef> {
        while let Some(scope) = at {
            match homes[scope.index()] {
                ScopeRelease::Own => return Some(RegionRef::Scope(scope)),
                ScopeRelease::Marked(host) => return Some(host),
                ScopeRelease::Destination => return Some(RegionRef::Destination),
                ScopeRelease::None => {}
            }
            let of = self.function.scope(scope);
            // A region is filled by one at a time.
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

    /// A function with a loop; memrefs: its argument, the one that a turn gets, one that is made in a turn, what comes out.
    fn with_a_loop() -> Function {
        let scope = |kind, parent| Scope {
            kind,
            parent,
            depth: parent.map_or(0, |_| 1),
            barrier: None,
            frame: ROOT,
            is_single: false,
            is_once: true,
            turns: None,
        };
        let made = ValueId(2);
        Function {
            scopes: vec![
                scope(ScopeKind::Function, None),
                scope(ScopeKind::Turn, Some(ROOT)),
            ],
            values: vec![ROOT, LOOP, LOOP, ROOT],
            lines: vec![vec![0, 4], vec![1, 2, 3]],
            allocations: vec![Allocation {
                value: made,
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

    fn placed(function: &Function, version: Version) -> Plan {
        let settings = Settings {
            all_sizes: false,
            loops: Loops::Auto,
            release: Release::Auto,
            public_abi: PublicAbi::Keep,
            is_single: false,
            is_auto: false,
            alignment: 64,
            remarks: false,
        };
        let own = solve(function, Version::Region, &[], &settings).summary(function);
        place(function, version, &own, &[], &settings)
    }

    #[test]
    fn what_dies_in_a_turn_is_cleared_by_it() {
        let plan = placed(&with_a_loop(), Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::Scope(LOOP))]);
        assert_eq!(plan.homes, [ScopeRelease::None, ScopeRelease::Own]);
    }

    /// The argument goes in, what is made goes on, and comes out.
    fn carried() -> Function {
        let [argument, given, made, out] = [0, 1, 2, 3].map(ValueId);
        Function {
            joined: vec![
                (argument, given),
                (argument, out),
                (made, given),
                (made, out),
            ],
            carried: vec![(LOOP, given, made)],
            ..with_a_loop()
        }
    }

    #[test]
    fn what_a_turn_makes_for_the_next_is_swapped() {
        let plan = placed(&carried(), Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::Next(LOOP))]);
        assert_eq!(plan.swaps, [(LOOP, false)]);
    }

    #[test]
    fn what_a_turn_may_have_got_is_not_swapped() {
        // What is handed on is what is made, or what was got.
        let mut function = carried();
        function.joined.push((ValueId(1), ValueId(2)));
        let plan = placed(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::PilesUp))]);
        assert!(plan.swaps.is_empty());
    }

    #[test]
    fn a_loop_that_is_entered_again_does_not_swap() {
        let mut function = carried();
        function.scopes[1].is_once = false;
        let plan = placed(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::PilesUp))]);
    }

    #[test]
    fn what_is_returned_goes_to_the_caller() {
        let mut function = with_a_loop();
        function.scopes[1].turns = Some(1);
        function.joined.push((ValueId(2), ValueId(3)));
        function.returns.push(vec![Some(ValueId(3))]);
        let plan = placed(&function, Version::Region);
        assert!(plan.takes);
        assert_eq!(
            (plan.allocations, plan.lent),
            (vec![Ok(RegionRef::Destination)], vec![0])
        );
        // To one who frees it, from the heap.
        let plan = placed(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::Owned))]);
    }

    #[test]
    fn what_several_make_at_once_does_not_leave_them() {
        let mut function = with_a_loop();
        function.scopes[1].kind = ScopeKind::Parallel;
        function.scopes[1].barrier = Some(LOOP);
        function.scopes[1].frame = LOOP;
        let plan = placed(&function, Version::Heap);
        assert_eq!(plan.allocations, [Ok(RegionRef::Scope(LOOP))]);
        function.joined.push((ValueId(2), ValueId(3)));
        let plan = placed(&function, Version::Heap);
        assert_eq!(plan.allocations, [Err(Some(Reason::Parallel))]);
    }
}
