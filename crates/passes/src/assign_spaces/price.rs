//! What the memory accesses of a function cost in the memory spaces of a machine.

use super::{accesses, again::bytes_cost, around::Around, read::Reading, settings::Settings};
use crate::merge_alloc::most_at_once as most;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    ir::{Identity, Key, results, type_of},
    layout::{DataLayout, memory_space},
};
use memplan_placement::{Outcome, Problem, Shortage, solve};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;

/// What a function costs. Of two, the lower one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price {
    /// Bytes that spaces have too few; 0 if there is an assignment.
    pub missing: u64,
    /// What all accesses and copies cost, in thousandths of the machine's unit.
    pub cost: u128,
    /// What buffers cost more than without limits.
    pub excess: u128,
    /// Bytes of the largest limit that are free for buffers that may be elsewhere.
    pub room: u64,
}

impl Price {
    /// The price of a function as it is; `None` where sizes are known only at run time. What its callers and callees need does
    /// not count.
    pub fn of(
        analysis: &Analysis<'_>,
        semantics: &mut Semantics,
        settings: &Settings,
    ) -> Option<Self> {
        let facts = &analysis.program.buffers;
        let mut plannable = analysis.plannable.iter();
        if plannable.any(|one| facts[one.buffer.index()].dynamic.is_some()) {
            return None;
        }
        let alone = Around::default();
        let reading = Reading::of(analysis, semantics, settings, &alone, settings.how.in_place);
        let mut unlimited = reading.problem.clone();
        unlimited.fixed.clear();
        for space in &mut unlimited.spaces {
            space.capacity = None;
        }
        let Ok(Outcome::Plan(least, _)) = solve(&unlimited, &settings.effort) else {
            return None;
        };
        let (missing, buffers) = match solve(&reading.problem, &settings.effort).ok()? {
            Outcome::Plan(plan, _) => (0, plan.cost),
            Outcome::Short(short) => (short.iter().map(missing).sum(), least.cost),
            // Fragmentation aside, a byte less would do.
            Outcome::Impossible | Outcome::Unknown => (1, least.cost),
        };
        let others = others(&reading, semantics, settings);
        Some(Self {
            missing,
            cost: buffers + others,
            excess: buffers.saturating_sub(least.cost),
            room: room(&reading.problem),
        })
    }
}

/// What accesses to other memory than that of the problem cost: to arguments, constants and results.
pub fn others(reading: &Reading<'_, '_>, semantics: &mut Semantics, settings: &Settings) -> u128 {
    let Some(function) = reading.analysis.handles.function else {
        return 0;
    };
    let sources = reading.sources.iter();
    let own = sources.filter_map(|source| Some(results(source.alloc).next()?.key()));
    let own: FxHashSet<Key> = own.collect();
    let mut all = 0_u128;
    let layout = DataLayout::at(function);
    accesses::of_operation(function, &layout, semantics, &mut |base, access| {
        if !own.contains(&base.key()) {
            let space = settings.index(&memory_space(type_of(base)));
            all += u128::from(bytes_cost(settings, space, access));
        }
    });
    all
}

/// The bytes that fixed memory leaves of the largest limit.
fn room(problem: &Problem) -> u64 {
    let limits = problem.spaces.iter().enumerate();
    let limits = limits.filter_map(|(space, one)| Some((space, one.capacity?)));
    let rooms = limits.map(|(space, limit)| {
        let fixed = problem.fixed.iter().filter(|fixed| fixed.space == space);
        let ranges = fixed.map(|one| (one.range.0.into(), one.range.1.into(), one.bytes));
        limit.saturating_sub(most(&ranges.collect::<Vec<_>>()))
    });
    rooms.max().unwrap_or(0)
}

/// The bytes that a space has too few.
const fn missing(short: &Shortage) -> u64 {
    short.bytes.saturating_sub(short.capacity)
}
