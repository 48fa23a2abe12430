//! Arenas in place of one: as many as it takes that the function never holds more than it would with each buffer freed
//! after its last use.
//!
//! `limits` says how many bytes arenas may hold at each moment, and `assign` which buffers are in one arena.

mod assign;
mod beside;
mod certain;
mod limits;
mod others;

pub use beside::{Beside, bodies, calls};
pub use others::{Other, others};

use super::{
    block_tree::BlockTree,
    plan::{Arena, Plan, Slice},
};
pub use assign::{Assignment, ENOUGH, MOST_STEPS, Moments, Problem, Unit, assign, least_excess};
use certain::Certain;
pub use limits::Timeline;
use limits::{Needed, Unsized};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, union},
    program::{Position, ScopeId},
};
use memplan_mlir::{ir::parent, melior::ir::operation::OperationLike};
use memplan_semantics::attributes::{ITEMS, LINE_BUFFER, STRIPS};
use rustc_hash::FxHashMap;
use std::{cell::Cell, cmp::Reverse};

/// Slices that are in one arena.
pub struct Part {
    /// Their places, ascending.
    pub slices: Vec<usize>,
    /// Bytes of the arena.
    pub size: u64,
    /// Whether each iteration allocates it.
    pub is_of_iteration: bool,
    /// Whether its slices are separate allocations in place of an arena.
    pub is_left: bool,
}

/// The most units of an arena for which assignments above the limits are looked for.
const MOST_UNITS: usize = 128;

/// An arena that is to be split, if that lowers what the function holds.
pub struct Question<'q> {
    timeline: Timeline,
    /// For each moment, the bytes that arenas may hold: no more than the one arena either.
    limits: Vec<u64>,
    /// The same without regard to the one arena.
    of_heap: Vec<u64>,
    units: Vec<Unit>,
    /// The slices of each unit.
    members: Vec<Vec<usize>>,
    tree: &'q BlockTree<'q>,
    arena: &'q Arena,
    /// The uses of buffers that an iteration may hand to the next one.
    carried: Vec<assign::Moments>,
    /// The slices that are not left alone: nested arenas, and buffers of strips, which are allocated in each strip.
    stays: Vec<usize>,
    /// Pairs of places that are left together.
    tied: Vec<(usize, usize)>,
}

impl<'q> Question<'q> {
    /// The question for an arena whose slices have their places. `None` if it is never above the limits.
    pub fn of(
        tree: &'q BlockTree<'q>,
        analysis: &Analysis<'_>,
        plan: &Plan,
        arena: &'q Arena,
    ) -> Option<Self> {
        if arena.size == 0 {
            return None;
        }
        let own: Vec<Needed> = arena
            .slices
            .iter()
            .map(|slice| needed(analysis, plan, arena.scope, slice))
            .collect();
        let end = |one: &Needed| one.live.last().map_or(one.first + 1, |live| live.1);
        let others = others(analysis, arena.scope, Some(&arena.memory_space));
        let mut beside = calls(analysis, arena.scope);
        let inner = plan
            .arenas
            .iter()
            .filter(|inner| inner.hoisted.is_none() && inner.memory_space == arena.memory_space);
        beside.extend(bodies(
            analysis,
            arena.scope,
            inner.map(|inner| inner.scope),
        ));
        beside.extend(others.iter().filter_map(Other::of_unknown_bytes));
        let of_unknown_size: Vec<Unsized> = others.iter().filter_map(Other::unsized_once).collect();
        let positions = own
            .iter()
            .flat_map(|one| [one.first, one.first + 1, end(one)]);
        let positions = positions.chain(
            others
                .iter()
                .flat_map(|one| [one.first, one.certain, one.end]),
        );
        let live = arena
            .slices
            .iter()
            .flat_map(|slice| plan.live(analysis, slice));
        let positions = positions.chain(live.flat_map(|(first, end)| [*first, *end]));
        let positions = positions.chain(beside.iter().flat_map(|one| [one.first, one.end]));
        let timeline = Timeline::new(tree, arena.scope, positions);
        let mut members = vec![Vec::new(); arena.slices.len()];
        for (place, slice) in arena.slices.iter().enumerate() {
            members[slice.host].push(place);
        }
        members.retain(|members| !members.is_empty());
        let reader = Certain::of(analysis, arena);
        let certain: Vec<Ranges> = arena
            .slices
            .iter()
            .map(|slice| reader.live(slice, plan.live(analysis, slice)))
            .collect();
        let tied = reader.tied();
        let group = |members: &Vec<usize>| {
            let members = members.iter().map(|place| Needed {
                live: certain[*place].to_vec(),
                ..own[*place].clone()
            });
            members.collect()
        };
        let mut groups: Vec<Vec<Needed>> = members.iter().map(group).collect();
        groups.extend(
            others
                .iter()
                .filter_map(Other::certain)
                .map(|one| vec![one]),
        );
        let mut limits = limits::limits(
            tree,
            arena.scope,
            &timeline,
            &groups,
            &of_unknown_size,
            &beside,
        );
        for other in &others {
            let (first, end) = timeline.moments(other.first, other.end);
            for limit in &mut limits[first..end] {
                *limit = limit.saturating_sub(other.bytes.unwrap_or(0));
            }
        }
        let at = |live: Vec<(Position, Position)>| -> Vec<assign::Moments> {
            let live = union(live).into_iter();
            live.map(|(first, end)| timeline.moments(first, end))
                .collect()
        };
        let unit = |members: &Vec<usize>| {
            let slices = members.iter().map(|place| &arena.slices[*place]);
            let live = slices
                .clone()
                .flat_map(|slice| plan.live(analysis, slice).iter().copied());
            let first = members
                .iter()
                .map(|place| own[*place].first)
                .min()
                .unwrap_or(0);
            let end = members
                .iter()
                .map(|place| end(&own[*place]))
                .max()
                .unwrap_or(0);
            Unit {
                least: slices.clone().map(|slice| slice.size).min().unwrap_or(0),
                size: slices
                    .map(|slice| slice.size.next_multiple_of(slice.alignment))
                    .max()
                    .unwrap_or(0),
                live: at(live.collect()),
                certain: at(members
                    .iter()
                    .flat_map(|place| certain[*place].clone())
                    .collect()),
                uses: timeline.moments(first, end),
            }
        };
        let units: Vec<Unit> = members.iter().map(unit).collect();
        let is_carried = |members: &&Vec<usize>| {
            let mut own = members
                .iter()
                .filter_map(|place| analysis.plannable.get(arena.slices[*place].plannable));
            own.any(|own| !own.carried.is_empty())
        };
        let carried = members.iter().zip(&units);
        let carried = carried.filter(|(members, _)| is_carried(members));
        let carried = carried.map(|(_, unit)| unit.uses).collect();
        // Arenas take no more at one moment than the one arena that they are in place of.
        let mut load = vec![0_u64; timeline.len()];
        for unit in &units {
            for (first, end) in &unit.live {
                for load in &mut load[*first..*end] {
                    *load = load.saturating_add(unit.size);
                }
            }
        }
        let most = load.into_iter().max().unwrap_or(0).max(arena.size);
        let of_heap = limits.clone();
        for limit in &mut limits {
            *limit = (*limit).min(most);
        }
        Some(Self {
            timeline,
            limits,
            of_heap,
            units,
            members,
            tree,
            arena,
            stays: (0..arena.slices.len())
                .filter(|place| stays(plan, analysis, &arena.slices[*place]))
                .collect(),
            carried,
            tied,
        })
    }

    /// Offers assignments of the slices to several arenas until one is taken: those that hold less above the limits than
    /// one, or any. `of_iterations`: iterations may allocate arenas.
    pub fn answer(
        &self,
        of_iterations: bool,
        any: bool,
        mut takes: impl FnMut(Vec<Vec<usize>>) -> bool,
    ) {
        let held = |moments| self.held(moments, of_iterations);
        let problem = Problem {
            units: &self.units,
            limits: &self.limits,
            held: &held,
            steps: Cell::new(MOST_STEPS),
        };
        let one = assign::together(&problem);
        let least = assign::least_excess(&problem);
        // If none is within the limits, little is to be gained.
        let is_worth_it = least == 0 || self.units.len() <= MOST_UNITS;
        if one.excess > least || any && is_worth_it {
            assign::assign(&problem, |found| {
                (found.excess < one.excess || any) && takes(self.slices(found))
            });
        }
    }

    /// Lets arenas take more than the one arena, within the limits of the heap.
    pub fn relax(&mut self) {
        self.limits.clone_from(&self.of_heap);
    }

    /// Whether iterations could allocate an arena.
    pub fn has_iterations(&self) -> bool {
        let mut uses = self.units.iter().map(|unit| unit.uses);
        uses.any(|uses| self.held(uses, true) != self.held(uses, false))
    }

    /// Leaves out of iterations what need not be allocated in them.
    pub fn leave_iterations(&self, arenas: &mut [Part], most: u64) {
        for place in 0..arenas.len() {
            if std::mem::take(&mut arenas[place].is_of_iteration) {
                let (excess, _) = self.excess(arenas);
                arenas[place].is_of_iteration = excess > most;
            }
        }
    }

    /// Leaves arenas until the others are within the limits: the one with the most bytes that are held but perhaps not
    /// live, where the arenas are furthest above the limits. Those with nested arenas or strips stay. Returns the
    /// number of slices that are left.
    pub fn leave(&self, arenas: &mut [Part]) -> u64 {
        loop {
            let held = self.held_bytes(arenas);
            let over = held.iter().zip(&self.limits).enumerate();
            let over = over.map(|(moment, (held, limit))| (held.saturating_sub(*limit), moment));
            let Some((1.., moment)) = over.max_by_key(|(bytes, at)| (*bytes, Reverse(*at))) else {
                break;
            };
            let unused = |part: &Part| {
                let uses = self.units_of(part).map(|unit| unit.uses);
                let uses = uses.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
                let held = uses.map(|uses| self.held(uses, part.is_of_iteration));
                let is_held = held.is_some_and(|held| held.0 <= moment && moment < held.1);
                let own = self
                    .units_of(part)
                    .filter(|unit| unit.is_certain_at(moment));
                let own: u64 = own.map(|unit| unit.least).sum();
                part.size.saturating_sub(own) * u64::from(is_held)
            };
            let may_leave = |part: &&mut Part| {
                let stays = part.slices.iter().any(|slice| self.stays.contains(slice));
                !part.is_left && !stays && unused(part) > 0
            };
            let candidates = arenas.iter_mut().filter(may_leave);
            match candidates.max_by_key(|part| unused(part)) {
                Some(part) => part.is_left = true,
                None => break,
            }
            self.leave_tied(arenas);
        }
        let left = arenas.iter().filter(|part| part.is_left);
        left.map(|part| part.slices.len() as u64).sum()
    }

    /// Where one value may be several buffers, an arena with one of them would be held beside the others.
    fn leave_tied(&self, arenas: &mut [Part]) {
        if self.tied.is_empty() {
            return;
        }
        let mut parts: FxHashMap<usize, usize> = FxHashMap::default();
        for (index, part) in arenas.iter().enumerate() {
            let slices = part.slices.iter().map(|slice| &self.arena.slices[*slice]);
            parts.extend(slices.map(|slice| (slice.host, index)));
        }
        loop {
            let is_left =
                |place: &usize| parts.get(place).is_some_and(|part| arenas[*part].is_left);
            let mut tied = self.tied.iter();
            let found = tied.find_map(|(one, other)| match (is_left(one), is_left(other)) {
                (true, false) => parts.get(other).copied(),
                (false, true) => parts.get(one).copied(),
                _ => None,
            });
            match found {
                Some(part) => arenas[part].is_left = true,
                None => break,
            }
        }
    }

    /// The most bytes that arenas hold above the limits, and the most that they hold.
    pub fn excess(&self, arenas: &[Part]) -> (u64, u64) {
        let held = self.held_bytes(arenas);
        let over = held.iter().zip(&self.limits);
        let over = over.map(|(held, limit)| held.saturating_sub(*limit)).max();
        (over.unwrap_or(0), held.into_iter().max().unwrap_or(0))
    }

    /// The bytes that are held at each moment.
    fn held_bytes(&self, arenas: &[Part]) -> Vec<u64> {
        let mut held = vec![0_u64; self.limits.len()];
        let mut add = |(first, end): assign::Moments, size: u64| {
            for bytes in &mut held[first..end] {
                *bytes = bytes.saturating_add(size);
            }
        };
        for part in arenas {
            if part.is_left {
                for unit in self.units_of(part) {
                    let certain = unit.certain.iter();
                    certain.for_each(|live| add(*live, unit.least));
                }
                continue;
            }
            let uses = self.units_of(part).map(|unit| unit.uses);
            if let Some(uses) = uses.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) {
                add(self.held(uses, part.is_of_iteration), part.size);
            }
        }
        held
    }

    fn units_of<'s>(&'s self, part: &'s Part) -> impl Iterator<Item = &'s Unit> {
        let units = self.units.iter().zip(&self.members);
        let own = units.filter(|(_, members)| part.slices.binary_search(&members[0]).is_ok());
        own.map(|(unit, _)| unit)
    }

    fn slices(&self, found: &Assignment) -> Vec<Vec<usize>> {
        let arenas = found.arenas.iter().map(|units| {
            let mut slices: Vec<usize> = units
                .iter()
                .flat_map(|unit| self.members[*unit].iter().copied())
                .collect();
            slices.sort_unstable();
            slices
        });
        arenas.collect()
    }

    /// The moments at which an arena with these uses is held.
    fn held(&self, moments: assign::Moments, of_iterations: bool) -> assign::Moments {
        let uses = self.timeline.positions(moments);
        let has = |carried: &assign::Moments| moments.0 <= carried.0 && carried.1 <= moments.1;
        let of_iterations = of_iterations && !self.carried.iter().any(has);
        match self.tree.around(self.arena.scope, uses, of_iterations) {
            Some(around) => self.timeline.moments(around.span.0, around.span.1 + 1),
            None => (0, self.timeline.len()),
        }
    }
}

/// Whether a slice is not left alone: a nested arena, or a buffer of strips.
fn stays(plan: &Plan, analysis: &Analysis<'_>, slice: &Slice) -> bool {
    if plan.guest(analysis, slice).is_some() {
        return true;
    }
    let buffer = analysis.plannable[slice.plannable].buffer;
    let op = analysis.handles.buffers[buffer.index()];
    let mut around = std::iter::successors(parent(op), |op| parent(*op));
    op.has_attribute(LINE_BUFFER)
        || around.any(|op| op.has_attribute(STRIPS) || op.has_attribute(ITEMS))
}

/// The memory of a slice as a separate allocation.
fn needed(analysis: &Analysis<'_>, plan: &Plan, arena_scope: ScopeId, slice: &Slice) -> Needed {
    let live = plan.live(analysis, slice);
    let own = analysis.plannable.get(slice.plannable);
    let made = own.map(|own| analysis.program.buffers[own.buffer.index()].position);
    let first = live.first().map(|(first, _)| *first);
    let body = analysis.program.scopes[arena_scope.index()].body;
    let entry = analysis.program.nodes[body.index()].blocks[0];
    Needed {
        block: own.map_or(entry, |own| {
            analysis.program.buffers[own.buffer.index()].block
        }),
        first: first.into_iter().chain(made).min().unwrap_or(0),
        live: live.to_vec(),
        bytes: slice.size,
        padding: slice.alignment,
    }
}
