//! Coalescing: the objects of planning are buffers, and groups of buffers that reuse each other's bytes.
//!
//! `join` computes the groups. [`Space`] is the set of buffers that share an arena, and [`Space::load`] the
//! most bytes of it that are live at once: a lower bound for every plan, which most plans reach.

mod join;
mod packing_options;

pub use join::{Candidate, Class, Life, join, join_any_size};
pub use packing_options::PackingOptions;

use memplan_lifetimes::{
    Analysis, Takeover,
    live::{Ranges, union},
    program::{BufferId, Position, ScopeId},
};
use memplan_mlir::{
    ir::{results, type_of},
    layout::memory_space,
};
use memplan_planner::{Buffer, Planner, Problem};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Buffers of a scope and a memory space: they share an arena.
#[derive(Clone, Debug)]
pub struct Space {
    /// The scope.
    pub scope: ScopeId,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// Indices in [`Analysis::plannable`].
    pub members: Vec<usize>,
    /// Alignment of slices, in bytes.
    pub alignment: u64,
    /// Cache of [`Space::hosts`].
    hosts: OnceCell<Vec<usize>>,
}

/// Bytes that are live from each position to the next one.
pub type Profile = Vec<(Position, u64)>;

/// Spaces of a function, with slices at multiples of `alignment`, in program order.
pub fn spaces(analysis: &Analysis<'_>, alignment: u64) -> Vec<Space> {
    let mut places: FxHashMap<(ScopeId, String), usize> = FxHashMap::default();
    let mut spaces: Vec<Space> = Vec::new();
    for (index, plannable) in analysis.plannable.iter().enumerate() {
        let scope = analysis.program.buffers[plannable.buffer.index()].scope;
        let result = results(analysis.handles.buffers[plannable.buffer.index()]).next();
        let memory_space = result
            .map(|result| memory_space(type_of(result)))
            .unwrap_or_default();
        let place = *places
            .entry((scope, memory_space.clone()))
            .or_insert(spaces.len());
        if place == spaces.len() {
            spaces.push(Space {
                scope,
                memory_space,
                members: Vec::new(),
                alignment,
                hosts: OnceCell::new(),
            });
        }
        spaces[place].members.push(index);
    }
    spaces
}

/// Bytes of a plannable buffer in an arena, with all its slots, rounded up to `alignment`. The product of
/// dynamic dimensions counts as [`ASSUMED`].
pub fn bytes(analysis: &Analysis<'_>, plannable: usize, alignment: u64) -> u64 {
    let plannable = &analysis.plannable[plannable];
    let fact = &analysis.program.buffers[plannable.buffer.index()];
    let size = match fact.dynamic {
        Some(unit) => unit.saturating_mul(ASSUMED),
        None => fact.size,
    };
    let size = size.checked_next_multiple_of(alignment).unwrap_or(size);
    size.saturating_mul(plannable.carried.len() as u64 + 1)
}

/// Size and alignment of a slice, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Bytes.
    pub size: u64,
    /// What its offset is a multiple of.
    pub alignment: u64,
}

impl Slice {
    /// Slice of a plannable buffer, with all its slots; `None` for a dynamic size.
    pub fn of(analysis: &Analysis<'_>, plannable: usize, alignment: u64) -> Option<Self> {
        let plannable = &analysis.plannable[plannable];
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let alignment = plannable.alignment.max(alignment);
        let slot = fact.size.checked_next_multiple_of(alignment)?;
        let others = slot.saturating_mul(plannable.carried.len() as u64);
        fact.dynamic.is_none().then(|| Self {
            size: others.saturating_add(fact.size),
            alignment,
        })
    }

    /// The slice with the stricter of both alignments.
    pub fn aligned(self, alignment: u64) -> Self {
        Self {
            alignment: self.alignment.max(alignment),
            ..self
        }
    }
}

/// Bytes of a plan of these slices in one arena, by the default planner: at least their load, and more if
/// padding or fragmentation is unavoidable.
pub fn plan(units: impl Iterator<Item = (Ranges, Slice)>) -> u64 {
    let buffers = units.enumerate().map(|(id, (live, slice))| {
        let live = live.into_iter();
        let live = live.map(|(first, end)| (u64::from(first), u64::from(end)));
        Buffer::new(id as u64, slice.size, live).aligned(slice.alignment)
    });
    let solved = Problem::new(buffers.collect())
        .ok()
        .and_then(|problem| Planner::Auto.solve(&problem).ok());
    solved.map_or(u64::MAX, |outcome| outcome.solution.peak)
}

/// Assumed product of dynamic dimensions.
pub const ASSUMED: u64 = 16;

impl Space {
    /// For each member, the first member of its group. Computed once, for the analysis of the space.
    pub fn hosts(&self, analysis: &Analysis<'_>) -> &[usize] {
        self.hosts.get_or_init(|| self.find_hosts(analysis))
    }

    /// The space with other members.
    pub fn with_members(&self, members: Vec<usize>) -> Self {
        Self {
            scope: self.scope,
            memory_space: self.memory_space.clone(),
            members,
            alignment: self.alignment,
            hosts: OnceCell::new(),
        }
    }

    fn find_hosts(&self, analysis: &Analysis<'_>) -> Vec<usize> {
        let mut places: FxHashMap<BufferId, usize> = FxHashMap::default();
        let mut lives = Vec::with_capacity(self.members.len());
        for (place, member) in self.members.iter().enumerate() {
            let plannable = &analysis.plannable[*member];
            let fact = &analysis.program.buffers[plannable.buffer.index()];
            let joins = plannable.carried.is_empty() && fact.dynamic.is_none();
            if joins {
                places.insert(plannable.buffer, place);
            }
            lives.push(Life {
                live: &plannable.live,
                through_one: &plannable.through_one,
                class: joins.then_some(Class::of_size(fact.size)),
            });
        }
        let candidate = |takeover: &Takeover| {
            Some(Candidate {
                from: *places.get(&takeover.from)?,
                to: *places.get(&takeover.to)?,
                position: takeover.position,
            })
        };
        let candidates: Vec<Candidate> = analysis.takeovers.iter().filter_map(candidate).collect();
        join(&lives, &candidates)
    }

    /// Live bytes over positions; a group counts once.
    pub fn profile(&self, analysis: &Analysis<'_>) -> Profile {
        let units = self.units(analysis).into_iter();
        profile(units.map(|(member, live, _)| (live, bytes(analysis, member, self.alignment))))
    }

    /// For each group: its first member, live ranges, and alignment.
    fn units(&self, analysis: &Analysis<'_>) -> Vec<(usize, Ranges, u64)> {
        let hosts = self.hosts(analysis);
        let mut units: Vec<(usize, Ranges, u64)> = Vec::with_capacity(hosts.len());
        // The unit of each first member; the other members come later.
        let mut unit_of = vec![0; hosts.len()];
        let mut joined: Vec<usize> = Vec::new();
        for (place, (host, member)) in hosts.iter().zip(&self.members).enumerate() {
            let plannable = &analysis.plannable[*member];
            if place == *host {
                unit_of[place] = units.len();
                units.push((*member, plannable.live.clone(), plannable.alignment.max(1)));
            } else {
                let (_, live, alignment) = &mut units[unit_of[*host]];
                live.extend_from_slice(&plannable.live);
                *alignment = plannable.alignment.max(*alignment);
                joined.push(unit_of[*host]);
            }
        }
        joined.sort_unstable();
        joined.dedup();
        for unit in joined {
            let live = &mut units[unit].1;
            *live = union(std::mem::take(live).to_vec());
        }
        units
    }

    /// Bytes of a plan of the buffers of static size.
    pub fn planned(&self, analysis: &Analysis<'_>) -> u64 {
        let units = self.units(analysis).into_iter();
        plan(units.filter_map(|(member, live, alignment)| {
            let slice = Slice::of(analysis, member, self.alignment)?;
            Some((live, slice.aligned(alignment)))
        }))
    }

    /// The most bytes that are live at once.
    pub fn load(&self, analysis: &Analysis<'_>) -> u64 {
        most(&self.profile(analysis))
    }
}

/// Sum over all arenas of the bytes of plans of the buffers of static size.
pub fn planned(analysis: &Analysis<'_>, alignment: u64) -> u64 {
    let arenas = spaces(analysis, alignment)
        .into_iter()
        .map(|space| space.planned(analysis));
    arenas.fold(0, u64::saturating_add)
}

/// Live bytes at each position, from live ranges and sizes.
pub fn profile(units: impl Iterator<Item = (Ranges, u64)>) -> Profile {
    let mut changes: Vec<(Position, i128)> = Vec::new();
    for (live, size) in units {
        for (first, end) in live {
            changes.push((first, i128::from(size)));
            changes.push((end, -i128::from(size)));
        }
    }
    changes.sort_unstable();
    let mut profile: Profile = Vec::new();
    let mut bytes: i128 = 0;
    for (position, change) in changes {
        bytes += change;
        let now = u64::try_from(bytes).unwrap_or(u64::MAX);
        match profile.last_mut() {
            Some(last) if last.0 == position => last.1 = now,
            _ => profile.push((position, now)),
        }
    }
    profile
}

/// Maximum of a profile, in bytes.
pub fn most(profile: &Profile) -> u64 {
    profile.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0)
}
