//! Solves a problem: a proof that nothing fits, or the best plan with a lower bound.

use crate::{
    bound::{Prices, raise},
    exact,
    furthest::furthest_next_use,
    improve::improve,
    insert::insert,
    options::Options,
    plan::Plan,
    problem::{Buffer, Fixed, Problem, ProblemError, Range, Touch},
    sequence::holdings,
    shortage::{Shortage, shortages},
    whole,
};
use smallvec::SmallVec;

/// What is known of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No plan costs less.
    Optimal,
    /// No plan costs less than this.
    AtLeast(u128),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A plan, and what is known of its cost.
    Plan(Plan, Proof),
    /// No plan keeps all limits: at these positions alone, too many bytes are needed.
    Short(Vec<Shortage>),
    /// No plan keeps all limits: all were tried.
    Impossible,
    /// No plan was found, and no proof that there is none.
    Unknown,
}

/// Branch and bound proves nothing with fewer nodes.
const LEAST_NODES: u64 = 64;

/// Solves a problem.
///
/// # Errors
///
/// If the problem is invalid.
pub fn solve(problem: &Problem, options: &Options) -> Result<Outcome, ProblemError> {
    problem.validate()?;
    let short = shortages(problem);
    if !short.is_empty() {
        return Ok(Outcome::Short(short));
    }
    let small = compressed(problem);
    let holdings = holdings(small.spaces.len());
    let mut best: Option<Plan> = None;
    let mut offer = |plan: Plan| {
        if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
            best = Some(plan);
        }
    };
    let prices = Prices::zero(&small);
    if let Some(plan) = insert(&small, &holdings, &prices) {
        offer(plan);
    }
    let upper = best.as_ref().map(|best| best.cost);
    let none = |_: usize, _: usize, _: usize| None;
    let mut relaxed: Vec<Plan> = Vec::new();
    let start = (prices, options.rounds);
    let bound = raise(&small, &holdings, start, upper, &none, |plan| {
        relaxed.push(plan)
    });
    let Some(bound) = bound else {
        return Ok(Outcome::Impossible);
    };
    let guided = insert(&small, &holdings, &bound.prices);
    for plan in relaxed.into_iter().chain(guided) {
        if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
            best = Some(plan);
        }
    }
    if best.as_ref().is_none_or(|best| best.cost > bound.cost) {
        for plan in simpler(&small, options)? {
            if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
                best = Some(plan);
            }
        }
    }
    if let Some(plan) = best.take_if(|plan| plan.cost > bound.cost) {
        best = Some(improve(
            &small,
            &holdings,
            plan,
            options.attempts,
            bound.cost,
        ));
    }
    let is_open = best.as_ref().is_none_or(|plan| plan.cost > bound.cost);
    if !is_open {
        return Ok(best.map_or(Outcome::Unknown, |plan| Outcome::Plan(plan, Proof::Optimal)));
    }
    let layers = small.buffers.iter().map(Buffer::layers).sum::<usize>();
    // Each node visits all layers and positions.
    let visited = layers as u64 + u64::from(small.positions);
    let nodes = options.steps / visited.max(1);
    if nodes >= LEAST_NODES {
        let start = (best, bound.prices);
        let (found, is_done) = exact::search(&small, &holdings, start, nodes);
        best = found;
        if is_done {
            return Ok(best.map_or(Outcome::Impossible, |plan| {
                Outcome::Plan(plan, Proof::Optimal)
            }));
        }
    }
    Ok(best.map_or(Outcome::Unknown, |plan| {
        Outcome::Plan(plan, Proof::AtLeast(bound.cost))
    }))
}

/// Plans of simpler methods, which may be better where prices do not help.
fn simpler(problem: &Problem, options: &Options) -> Result<Vec<Plan>, ProblemError> {
    let mut plans = Vec::new();
    let options = &Options {
        steps: options.steps / 4,
        ..*options
    };
    if problem.buffers.iter().any(|buffer| !buffer.gaps.is_empty())
        && let Some(all) = whole::problem(problem)
        && let Outcome::Plan(plan, _) = solve(&all, options)?
    {
        plans.push(whole::plan(problem, &plan));
    }
    let spaces = problem.spaces.iter();
    let fast = spaces.clone().position(|space| space.capacity.is_some());
    let slow = spaces.clone().position(|space| space.capacity.is_none());
    if let (Some(fast), Some(slow), 2) = (fast, slow, problem.spaces.len()) {
        plans.extend(furthest_next_use(problem, fast, slow));
    }
    Ok(plans)
}

/// The same problem with the positions alone at which something starts: each maximum is at one.
fn compressed(problem: &Problem) -> Problem {
    let buffers = problem.buffers.iter();
    let ranges = buffers.flat_map(|buffer| {
        (0..buffer.layers()).flat_map(move |layer| buffer.ranges(layer).iter().copied())
    });
    let fixed = problem.fixed.iter().map(|fixed| fixed.range);
    let mut starts: Vec<u32> = ranges
        .chain(fixed)
        .filter(|range| range.0 < range.1)
        .map(|range| range.0)
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let at = |position: u32| starts.partition_point(|start| *start < position) as u32;
    let range = |range: &Range| (at(range.0), at(range.1));
    let all = |ranges: &SmallVec<[Range; 1]>| -> SmallVec<[Range; 1]> {
        ranges.iter().map(range).collect()
    };
    let buffers = problem.buffers.iter().map(|buffer| {
        let mut buffer = buffer.clone();
        let touch = |touch: &mut Touch| touch.ranges = all(&touch.ranges);
        buffer.touches.iter_mut().for_each(touch);
        buffer
            .gaps
            .iter_mut()
            .for_each(|gap| gap.ranges = all(&gap.ranges));
        buffer
    });
    Problem {
        spaces: problem.spaces.clone(),
        positions: starts.len() as u32,
        buffers: buffers.collect(),
        fixed: problem
            .fixed
            .iter()
            .map(|fixed| Fixed {
                range: range(&fixed.range),
                ..*fixed
            })
            .collect(),
    }
}
