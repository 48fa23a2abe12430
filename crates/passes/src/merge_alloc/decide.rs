//! From live ranges to offsets: a storage allocation problem for each scope and memory space.

use super::join::{Candidate, Life, join};
use memplan_lifetimes::{Analysis, live::union, program::ScopeId};
use memplan_mlir::{
    ir::{results, type_of},
    layout::memory_space,
};
use memplan_planner::{
    Bounds, Buffer, Options, PlanError, Planner, Problem, ProblemError,
    validate::{Violation, validate},
};
use rustc_hash::FxHashMap;

/// Why no plan could be made.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// Such as an arena that no address space holds.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The planner gave up.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The planner made a mistake. Nothing was written.
    #[error("the plan is wrong, and was not used: {0}")]
    Wrong(#[from] Violation),
    /// The arena would be too large for an offset.
    #[error("the arena would take {0} bytes, more than 2^63 - 1")]
    TooLarge(u64),
}

/// Where a buffer lies.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// The place in the analysis's list of what can be planned.
    pub plannable: usize,
    /// Bytes from the start of the arena to the first slot.
    pub offset: u64,
    /// Bytes from one slot to the next.
    pub stride: u64,
    /// Slots, more than one where older instances are still needed.
    pub slots: u64,
    /// Bytes of all slots together.
    pub size: u64,
    /// Alignment of each slot.
    pub alignment: u64,
    /// The slice, by its place in the arena, whose bytes these are: another one where this one takes
    /// over from it.
    pub host: usize,
}

/// One arena.
#[derive(Clone, Debug)]
pub struct Arena {
    /// Whose.
    pub scope: ScopeId,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// What lies in it, in the order of the text.
    pub slices: Vec<Slice>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// What it was held against.
    pub bounds: Bounds,
    /// The kind of the certificate of the lower bound.
    pub proof: &'static str,
    /// Which planner won.
    pub planner: &'static str,
    /// No plan has a lower peak.
    pub optimal: bool,
}

/// The plan of a function.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Arenas, in the order of the first allocation in each.
    pub arenas: Vec<Arena>,
    /// Copies from a slice to the same bytes, by their places in the analysis's list.
    pub idle_copies: Vec<u32>,
}

/// Plans every scope and memory space. The result is validated.
pub fn decide(
    analysis: &Analysis<'_>,
    planner: Planner,
    options: &Options,
    least_alignment: u64,
    in_place: bool,
) -> Result<Plan, DecideError> {
    let mut places: FxHashMap<(ScopeId, String), usize> = FxHashMap::default();
    let mut plan = Plan::default();
    for (index, plannable) in analysis.plannable.iter().enumerate() {
        let fact = &analysis.program.buffers[plannable.buffer.index()];
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let space = results(op)
            .next()
            .map(|result| memory_space(type_of(result)))
            .unwrap_or_default();
        let arenas = plan.arenas.len();
        let place = *places
            .entry((fact.scope, space.clone()))
            .or_insert_with(|| arenas);
        if place == arenas {
            plan.arenas.push(Arena {
                scope: fact.scope,
                memory_space: space,
                slices: Vec::new(),
                size: 0,
                alignment: 1,
                bounds: Bounds::default(),
                proof: "",
                planner: "",
                optimal: true,
            });
        }
        plan.arenas[place]
            .slices
            .push(slice(index, fact.size, plannable, least_alignment)?);
        let last = plan.arenas[place].slices.len() - 1;
        plan.arenas[place].slices[last].host = last;
    }
    let takeovers = if in_place {
        takeovers(analysis, &plan.arenas)
    } else {
        vec![Vec::new(); plan.arenas.len()]
    };
    for (arena, takeovers) in plan.arenas.iter_mut().zip(takeovers) {
        let life = |slice: &Slice| {
            let plannable = &analysis.plannable[slice.plannable];
            Life {
                live: &plannable.live,
                through_one: &plannable.through_one,
                // Slots that rotate stay where they are.
                class: (slice.slots == 1).then_some(slice.size),
            }
        };
        let lives: Vec<Life<'_>> = arena.slices.iter().map(life).collect();
        let candidates: Vec<Candidate> = takeovers.iter().map(|(found, _)| *found).collect();
        let alone: Vec<usize> = (0..lives.len()).collect();
        let joined = join(&lives, &candidates);
        *arena = solve(arena, &lives, &joined, planner, options)?;
        if !arena.optimal && joined != alone {
            // To be in one place may be in the way of a better plan.
            let apart = solve(arena, &lives, &alone, planner, options)?;
            if apart.size < arena.size {
                *arena = apart;
            }
        }
        let idle = |found: &Candidate| arena.slices[found.from].host == arena.slices[found.to].host;
        let copies = takeovers.iter().filter(|(found, _)| idle(found));
        plan.idle_copies
            .extend(copies.filter_map(|(_, copy)| *copy));
    }
    plan.idle_copies.sort_unstable();
    plan.idle_copies.dedup();
    Ok(plan)
}

/// For each arena, where one of its slices may take over from another; and the copy that this is.
fn takeovers(analysis: &Analysis<'_>, arenas: &[Arena]) -> Vec<Vec<(Candidate, Option<u32>)>> {
    let mut places = FxHashMap::default();
    for (number, arena) in arenas.iter().enumerate() {
        for (place, slice) in arena.slices.iter().enumerate() {
            // Slots that rotate stay where they are.
            if slice.slots == 1 {
                let buffer = analysis.plannable[slice.plannable].buffer;
                places.insert(buffer, (number, place));
            }
        }
    }
    let mut found = vec![Vec::new(); arenas.len()];
    for takeover in &analysis.takeovers {
        let place = |buffer| places.get(buffer).copied();
        if let (Some((arena, from)), Some((other, to))) =
            (place(&takeover.from), place(&takeover.to))
            && arena == other
        {
            let position = takeover.position;
            found[arena].push((Candidate { from, to, position }, takeover.copy));
        }
    }
    found
}

fn slice(
    index: usize,
    size: u64,
    plannable: &memplan_lifetimes::Plannable,
    least_alignment: u64,
) -> Result<Slice, DecideError> {
    let alignment = plannable.alignment.max(least_alignment);
    let (slots, stride) = if plannable.carried.is_empty() || size == 0 {
        (1, size)
    } else {
        let stride = size
            .checked_next_multiple_of(alignment)
            .ok_or(DecideError::TooLarge(size))?;
        (plannable.carried.len() as u64 + 1, stride)
    };
    Ok(Slice {
        plannable: index,
        offset: 0,
        stride,
        slots,
        size: stride
            .checked_mul(slots)
            .ok_or(DecideError::TooLarge(stride))?,
        alignment,
        host: 0,
    })
}

/// The arena with offsets; `hosts` says which slices are one.
fn solve(
    arena: &Arena,
    lives: &[Life<'_>],
    hosts: &[usize],
    planner: Planner,
    options: &Options,
) -> Result<Arena, DecideError> {
    let mut live: Vec<Vec<(u32, u32)>> = vec![Vec::new(); lives.len()];
    let mut alignments = vec![1; lives.len()];
    for (place, slice) in arena.slices.iter().enumerate() {
        live[hosts[place]].extend(lives[place].live.iter().copied());
        let alignment = &mut alignments[hosts[place]];
        *alignment = slice.alignment.max(*alignment);
    }
    let mut numbers = vec![0; lives.len()];
    let mut buffers = Vec::new();
    for (place, live) in live.into_iter().enumerate() {
        if hosts[place] == place {
            numbers[place] = buffers.len();
            let live = union(live).into_iter();
            let live = live.map(|(first, end)| (u64::from(first), u64::from(end)));
            let size = arena.slices[place].size;
            buffers.push(Buffer::new(place as u64, size, live).aligned(alignments[place]));
        }
    }
    let problem = Problem::new(buffers)?;
    let outcome = planner.solve_with(&problem, options)?;
    validate(&problem, &outcome.solution)?;
    if i64::try_from(outcome.solution.peak).is_err() {
        return Err(DecideError::TooLarge(outcome.solution.peak));
    }
    let mut solved = arena.clone();
    for (slice, &host) in solved.slices.iter_mut().zip(hosts) {
        slice.offset = outcome.solution.offsets[numbers[host]];
        slice.host = host;
    }
    let slices = solved.slices.iter();
    let naive = slices.map(|slice| slice.size.checked_next_multiple_of(slice.alignment));
    solved.bounds = Bounds {
        naive: naive.fold(0, |sum: u64, size| {
            sum.saturating_add(size.unwrap_or(u64::MAX))
        }),
        ..outcome.bounds
    };
    solved.size = outcome.solution.peak;
    solved.alignment = alignments.into_iter().max().unwrap_or(1);
    solved.proof = outcome.certificate.kind();
    solved.planner = outcome.planner;
    solved.optimal = outcome.optimal;
    Ok(solved)
}
