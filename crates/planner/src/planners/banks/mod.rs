//! Plans for memory with banks.
//!
//! The planners know no banks, except for these: `placement` places buffers in a given order, each at the lowest offset that
//! the rules of banks and the placed buffers leave, and searches over orders. `choose` searches over the banks of few
//! buffers, asks the exact planner for each bank, and proves its answer. [`Plan`](super::Plan)s of other planners would break
//! rules, so for those that are not `first-fit`, `by-size`, `by-area` or `by-conflicts` the orders of all of these are tried.

mod choose;
mod placement;

use super::Task;
use crate::bounds::LowerBound;
use crate::{BankLayout, Planner, Problem, Solution, certificate};
use choose::{Answer, Chooser};
use placement::Placer;

/// The part of the steps that the search over banks has before that over orders.
const SHARE: u64 = 2;

/// A plan and the name of the planner that made it; `None` if none was found. Raises `lower`.
pub fn solve(
    planner: Planner,
    task: &Task<'_>,
    lower: &mut LowerBound,
) -> Option<(Solution, &'static str)> {
    let mut best: Option<(Solution, &'static str)> = None;
    let keep = |best: &mut Option<(Solution, &'static str)>, found: Solution, name| {
        if best
            .as_ref()
            .is_none_or(|(known, _)| found.peak < known.peak)
        {
            task.note(found.peak, &LowerBound::default());
            *best = Some((found, name));
        }
    };
    let is_enough = |best: &Option<(Solution, &'static str)>, lower: &LowerBound| {
        let peak = best.as_ref().map(|(found, _)| found.peak);
        peak.is_some_and(|peak| peak <= task.goal(lower))
    };
    let placer = Placer::new(task);
    let mut orders = Vec::new();
    for one in [
        Planner::FirstFit,
        Planner::BySize,
        Planner::ByArea,
        Planner::ByConflicts,
    ] {
        let Some(placer) = &placer else {
            break;
        };
        let is_own = one == planner;
        if is_own || !is_order(planner) && !is_enough(&best, lower) {
            let order = placer.order(one);
            let placed = placer.place(&order);
            if let Some(found) = placer.solution(&placed) {
                keep(&mut best, found, one.name());
            }
            orders.push((placed.rank(), order));
        }
    }
    let searches = matches!(planner, Planner::Auto | Planner::Exact | Planner::HillClimb);
    if !searches || is_enough(&best, lower) {
        return best;
    }
    let mut steps = task.options.effort.steps();
    if planner != Planner::HillClimb {
        let mut chooser = Chooser::new(task, steps / SHARE);
        let far = far(task.problem);
        loop {
            let limit = match &best {
                Some((known, _)) => known.peak - 1,
                None => task.problem.limit().unwrap_or(u64::MAX),
            };
            match chooser.decide(limit) {
                Answer::Plan(found) => keep(&mut best, found, Planner::Exact.name()),
                Answer::None(certificate) => {
                    let bound = certificate::check(task.problem, &certificate).unwrap_or(0);
                    debug_assert!(bound > limit.min(u64::MAX - 1), "it shows {bound}");
                    lower.raise(bound, || certificate);
                    return best;
                }
                // Without a limit, a plan is as good that ends below a high one.
                Answer::Unknown if limit > far => match chooser.decide(far) {
                    Answer::Plan(found) => keep(&mut best, found, Planner::Exact.name()),
                    _ => break,
                },
                Answer::Unknown => break,
            }
            if is_enough(&best, lower) {
                return best;
            }
        }
        steps -= steps / SHARE;
    }
    orders.sort_unstable();
    if let (Some(placer), Some((rank, order))) = (&placer, orders.into_iter().next()) {
        placer.search(rank, order, steps, |found| {
            keep(&mut best, found, Planner::HillClimb.name());
            is_enough(&best, lower)
        });
    }
    best
}

/// An address that leaves space for all buffers above what is fixed and forbidden, each from where banks repeat.
fn far(problem: &Problem) -> u64 {
    let period = match problem.banks.as_ref().map(|banks| &banks.layout) {
        Some(BankLayout::Interleaved { count, width }) => width * u64::from(*count),
        _ => 0,
    };
    let free = problem.buffers.iter().map(|buffer| {
        let repeats = buffer.alignment.saturating_mul(period);
        buffer.size.saturating_add(repeats)
    });
    let fixed = problem.buffers.iter();
    let fixed = fixed.filter_map(|it| Some(it.fixed_offset?.saturating_add(it.size)));
    let ends = problem.forbidden.iter().map(|range| range.end).chain(fixed);
    free.fold(ends.max().unwrap_or(0), u64::saturating_add)
}

/// Whether the planner is an order of buffers.
fn is_order(planner: Planner) -> bool {
    matches!(
        planner,
        Planner::FirstFit | Planner::BySize | Planner::ByArea | Planner::ByConflicts
    )
}
