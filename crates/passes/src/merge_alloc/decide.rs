//! From live ranges to offsets: a storage allocation problem for each scope and memory space.

use memplan_lifetimes::{Analysis, program::ScopeId};
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
}

/// Plans every scope and memory space. The result is validated.
pub fn decide(
    analysis: &Analysis<'_>,
    planner: Planner,
    options: &Options,
    least_alignment: u64,
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
    }
    for arena in &mut plan.arenas {
        solve(arena, analysis, planner, options)?;
    }
    Ok(plan)
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
    })
}

fn solve(
    arena: &mut Arena,
    analysis: &Analysis<'_>,
    planner: Planner,
    options: &Options,
) -> Result<(), DecideError> {
    let buffers = arena
        .slices
        .iter()
        .map(|slice| {
            let plannable = &analysis.plannable[slice.plannable];
            let live = plannable
                .live
                .iter()
                .map(|(first, end)| (u64::from(*first), u64::from(*end)));
            Buffer::new(u64::from(plannable.buffer.0), slice.size, live).aligned(slice.alignment)
        })
        .collect();
    let problem = Problem::new(buffers)?;
    let outcome = planner.solve_with(&problem, options)?;
    validate(&problem, &outcome.solution)?;
    if i64::try_from(outcome.solution.peak).is_err() {
        return Err(DecideError::TooLarge(outcome.solution.peak));
    }
    for (slice, offset) in arena.slices.iter_mut().zip(&outcome.solution.offsets) {
        slice.offset = *offset;
    }
    arena.size = outcome.solution.peak;
    arena.alignment = arena
        .slices
        .iter()
        .map(|slice| slice.alignment)
        .max()
        .unwrap_or(1);
    arena.bounds = outcome.bounds;
    arena.proof = outcome.certificate.kind();
    arena.planner = outcome.planner;
    arena.optimal = outcome.optimal;
    Ok(())
}
