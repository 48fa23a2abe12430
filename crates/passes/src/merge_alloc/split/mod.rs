//! Arenas in place of one: as many as it takes that the function never holds more than it would with each buffer freed
//! after its last use.
//!
//! `limits` says how many bytes arenas may hold at each moment, and `assign` which buffers are in one arena.

mod assign;
mod limits;

use super::{
    block_tree::BlockTree,
    plan::{Arena, Plan, Slice},
};
use assign::{Assignment, MOST_STEPS, Problem, Unit};
use limits::{Needed, Timeline};
use memplan_lifetimes::{Analysis, live::union, program::Position};
use memplan_mlir::{
    ir::{results, type_of},
    layout::memory_space,
};
use std::cell::Cell;

/// An arena that is to be split, if that lowers what the function holds.
pub struct Question<'q> {
    timeline: Timeline,
    limits: Vec<u64>,
    units: Vec<Unit>,
    /// The slices of each unit.
    members: Vec<Vec<usize>>,
    tree: &'q BlockTree<'q>,
    arena: &'q Arena,
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
            .map(|slice| needed(analysis, plan, slice))
            .collect();
        let others = beside(analysis, arena);
        let positions = own
            .iter()
            .chain(&others)
            .flat_map(|one| [one.first, one.end]);
        let live = arena
            .slices
            .iter()
            .flat_map(|slice| plan.live(analysis, slice));
        let positions = positions.chain(live.flat_map(|(first, end)| [*first, *end]));
        let timeline = Timeline::new(tree, arena.scope, positions);
        let body = analysis.program.scopes[arena.scope.index()].body;
        let certain = |one: &&Needed| {
            let blocks = &analysis.program.nodes[body.index()].blocks;
            let inside = blocks
                .first()
                .and_then(|block| tree.inside.get(block))
                .into_iter()
                .flatten();
            blocks.len() == 1
                && !inside.into_iter().any(|node| {
                    let fact = &analysis.program.nodes[node.index()];
                    fact.start < one.first && one.first < fact.end
                })
        };
        let all: Vec<Needed> = own
            .iter()
            .chain(others.iter().filter(certain))
            .copied()
            .collect();
        let mut limits = limits::limits(tree, arena.scope, &timeline, &all);
        for other in &others {
            let (first, end) = timeline.moments(other.first, other.end);
            for limit in &mut limits[first..end] {
                *limit = limit.saturating_sub(other.bytes);
            }
        }
        let mut members = vec![Vec::new(); arena.slices.len()];
        for (place, slice) in arena.slices.iter().enumerate() {
            members[slice.host].push(place);
        }
        members.retain(|members| !members.is_empty());
        let unit = |members: &Vec<usize>| {
            let slices = members.iter().map(|place| &arena.slices[*place]);
            let live = slices
                .clone()
                .flat_map(|slice| plan.live(analysis, slice).iter().copied());
            let moments = |(first, end): (Position, Position)| timeline.moments(first, end);
            let first = members
                .iter()
                .map(|place| own[*place].first)
                .min()
                .unwrap_or(0);
            let end = members
                .iter()
                .map(|place| own[*place].end)
                .max()
                .unwrap_or(0);
            Unit {
                size: slices
                    .map(|slice| slice.size.next_multiple_of(slice.alignment))
                    .max()
                    .unwrap_or(0),
                live: union(live.collect()).into_iter().map(moments).collect(),
                uses: timeline.moments(first, end),
            }
        };
        let units: Vec<Unit> = members.iter().map(unit).collect();
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
        for limit in &mut limits {
            *limit = (*limit).min(most);
        }
        Some(Self {
            timeline,
            limits,
            units,
            members,
            tree,
            arena,
        })
    }

    /// Offers assignments of the slices to several arenas that hold less above the limits than one, until one is taken.
    pub fn answer(&self, mut takes: impl FnMut(Vec<Vec<usize>>) -> bool) {
        let held = |moments| self.held(moments);
        let problem = Problem {
            units: &self.units,
            limits: &self.limits,
            held: &held,
            steps: Cell::new(MOST_STEPS),
        };
        let one = assign::together(&problem);
        if one.excess > 0 {
            assign::assign(&problem, |found| {
                found.excess < one.excess && takes(self.slices(found))
            });
        }
    }

    /// The most bytes that arenas of these slices hold above the limits, and the most that they hold, given their sizes.
    pub fn excess(&self, arenas: &[(Vec<usize>, u64)]) -> (u64, u64) {
        let mut held = vec![0_u64; self.limits.len()];
        for (slices, size) in arenas {
            let units = self.units.iter().zip(&self.members);
            let units = units.filter(|(_, members)| slices.contains(&members[0]));
            let uses = units.map(|(unit, _)| unit.uses);
            if let Some(uses) = uses.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) {
                let (first, end) = self.held(uses);
                for bytes in &mut held[first..end] {
                    *bytes = bytes.saturating_add(*size);
                }
            }
        }
        let over = held.iter().zip(&self.limits);
        let over = over.map(|(held, limit)| held.saturating_sub(*limit)).max();
        (over.unwrap_or(0), held.into_iter().max().unwrap_or(0))
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
    fn held(&self, moments: assign::Moments) -> assign::Moments {
        let (first, last) = self.timeline.positions(moments);
        match self.tree.around(self.arena.scope, (first, last)) {
            Some((_, (first, last))) => self.timeline.moments(first, last + 1),
            None => (0, self.timeline.len()),
        }
    }
}

/// The memory of a slice as a separate allocation.
fn needed(analysis: &Analysis<'_>, plan: &Plan, slice: &Slice) -> Needed {
    let live = plan.live(analysis, slice);
    let own = analysis.plannable.get(slice.plannable);
    let made = own.map(|own| analysis.program.buffers[own.buffer.index()].position);
    let first = live.first().map(|(first, _)| *first);
    let first = first.into_iter().chain(made).min().unwrap_or(0);
    let end = live.last().map(|(_, end)| *end);
    let end = end
        .into_iter()
        .chain(made.map(|made| made + 1))
        .max()
        .unwrap_or(0);
    Needed {
        first,
        end,
        bytes: slice.size,
        padding: slice.alignment,
    }
}

/// Allocations that are not merged, as those of results: each is held from its allocation to the end.
fn beside(analysis: &Analysis<'_>, arena: &Arena) -> Vec<Needed> {
    let program = &analysis.program;
    let body = program.scopes[arena.scope.index()].body;
    let end = program.nodes[body.index()].end + 1;
    let skipped = analysis.skipped.iter().map(|(buffer, _)| *buffer);
    let inside = skipped.filter(|buffer| {
        let fact = &program.buffers[buffer.index()];
        let result = results(analysis.handles.buffers[buffer.index()]).next();
        fact.scope == arena.scope
            && fact.size > 0
            && result.is_some_and(|result| memory_space(type_of(result)) == arena.memory_space)
    });
    let needed = inside.map(|buffer| {
        let fact = &program.buffers[buffer.index()];
        Needed {
            first: fact.position,
            end,
            bytes: fact.size,
            padding: fact.alignment,
        }
    });
    needed.collect()
}
