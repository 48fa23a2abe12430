//! Where the memory of one version of a function lives, and when that is given back.

use super::{
    facts::{Function, ROOT, Reason, ScopeId, ScopeKind, ValueId},
    settings::{Loops, Settings},
    solve::{Class, Solved, Summary, Version},
};

/// A region that a function can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The one that the caller passes.
    Destination,
    /// That of a scope.
    Scope(ScopeId),
}

/// What becomes of a call.
#[derive(Clone, Debug)]
pub struct CallPlan {
    /// What is called.
    pub version: Version,
    /// The region that it gets, if it takes one.
    pub place: Option<Place>,
    /// The results that are lent.
    pub lent: Vec<usize>,
}

/// When the memory of a scope is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// It has none.
    None,
    /// It has a region: a frame releases it at its end, a turn of a loop clears it.
    Own,
    /// It is in another region, behind a mark to which each turn releases.
    Marked(Place),
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
    pub allocations: Vec<Result<Place, Option<Reason>>>,
    /// For each call.
    pub calls: Vec<CallPlan>,
    /// For each scope.
    pub homes: Vec<Home>,
}

impl Plan {
    /// Is there nothing to do?
    pub fn is_nothing(&self) -> bool {
        self.version == Version::Heap
            && self.allocations.iter().all(Result::is_err)
            && self.calls.iter().all(|call| call.version == Version::Heap)
    }

    /// The region in which what is placed there is really.
    pub fn region(&self, place: Place) -> Place {
        match place {
            Place::Destination => Place::Destination,
            Place::Scope(scope) => match self.homes[scope.index()] {
                Home::Marked(host) => host,
                Home::Destination => Place::Destination,
                Home::Own | Home::None => place,
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
    let solved = Solved::new(function, version, summaries);
    let is_region = version == Version::Region;
    let placer = Placer {
        function,
        settings,
        solved: &solved,
        is_single: settings.is_single || function.is_single,
    };
    let allocations = function.allocations.iter();
    let allocations = allocations.map(|one| placer.class(one.value));
    let calls = (0..function.calls.len()).map(|at| placer.call(at, summaries));
    let mut plan = Plan {
        version,
        takes: is_region && own.makes(),
        lent: own.lent().filter(|_| is_region).collect(),
        allocations: allocations.collect(),
        calls: calls.collect(),
        homes: vec![Home::None; function.scopes.len()],
    };
    plan.homes = placer.homes(&plan);
    plan
}

struct Placer<'f> {
    function: &'f Function,
    settings: &'f Settings,
    solved: &'f Solved,
    is_single: bool,
}

impl Placer<'_> {
    /// Where memory goes, or why it stays.
    fn class(&self, value: ValueId) -> Result<Place, Option<Reason>> {
        let class = self.solved.of(value);
        match class.stuck {
            Some(reason) => Err(Some(reason)),
            None if class.is_wanted => Ok(self.place(class)),
            None => Err(None),
        }
    }

    fn place(&self, class: &Class) -> Place {
        match class.top {
            Some(top) if !class.is_returned => Place::Scope(self.shared(top)),
            _ => Place::Destination,
        }
    }

    /// The scope whose memory is given back for what is needed in one.
    fn shared(&self, mut scope: ScopeId) -> ScopeId {
        loop {
            let of = self.function.scope(scope);
            let shares = self.settings.loops == Loops::Enclosing
                || self.is_single
                || of.is_single
                || (self.settings.is_auto && of.is_small);
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
        let made = summary.shared.iter().filter(|one| one.is_lent() && one.is_made);
        let made = made.flat_map(|one| &one.results);
        let places = made.filter_map(|at| {
            let value = call.results.get(*at).copied().flatten()?;
            Some(self.place(self.solved.of(value)))
        });
        CallPlan {
            version,
            // One region for all that it makes: the one that is there for longest.
            place: places.reduce(|one, other| self.outer(one, other)),
            lent: summary.lent().collect(),
        }
    }

    fn outer(&self, one: Place, other: Place) -> Place {
        match (one, other) {
            (Place::Scope(first), Place::Scope(second)) => {
                let depth = |scope: ScopeId| self.function.scope(scope).depth;
                if depth(first) <= depth(second) { one } else { other }
            }
            _ => Place::Destination,
        }
    }

    /// When the memory of each scope is given back.
    fn homes(&self, plan: &Plan) -> Vec<Home> {
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
                Place::Scope(scope) => {
                    is_used[scope.index()] = true;
                    Some(scope)
                }
                Place::Destination => None,
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
        let mut homes = vec![Home::None; count];
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
                    Home::Destination
                } else {
                    Home::Own
                }
            } else {
                match self.host(scope.parent, &homes) {
                    Some(host) if self.may_mark(host, keeps[at], keeps_for_caller[at]) => {
                        Home::Marked(host)
                    }
                    _ => Home::Own,
                }
            };
        }
        homes
    }

    /// May a turn release to a mark of its start?
    fn may_mark(&self, host: Place, keeps: bool, keeps_for_caller: bool) -> bool {
        self.settings.loops != Loops::PerIteration
            && !keeps
            && (host != Place::Destination || !keeps_for_caller)
    }

    /// The innermost region around.
    fn host(&self, mut at: Option<ScopeId>, homes: &[Home]) -> Option<Place> {
        while let Some(scope) = at {
            match homes[scope.index()] {
                Home::Own => return Some(Place::Scope(scope)),
                Home::Marked(host) => return Some(host),
                Home::Destination => return Some(Place::Destination),
                Home::None => {}
            }
            let of = self.function.scope(scope);
            // A region is filled by one at a time.
            at = of.parent.filter(|_| of.kind != ScopeKind::Parallel);
        }
        None
    }
}
