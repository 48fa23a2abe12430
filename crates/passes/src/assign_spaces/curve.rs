//! What a function costs at several budgets, as JSON.

use super::settings::Settings;
use crate::memory_spaces::names::space_name;
use memplan_machine::Cost;
use memplan_placement::{Fixed, Outcome, Problem, Proof, solve};
use serde::Serialize;

/// Number of budgets.
const POINTS: u64 = 16;

/// The document.
#[derive(Serialize)]
pub struct Curves {
    version: u32,
    /// What a unit of cost is called.
    unit: String,
    functions: Vec<Curve>,
}

/// The curve of a function.
#[derive(Serialize)]
pub struct Curve {
    name: String,
    /// The space that is limited: the first one that has a limit, or the first one.
    space: String,
    /// Ascending budgets of that space, the limits of the others stay.
    points: Vec<Point>,
    /// What accesses to other memory cost: to arguments, constants and results.
    others: f64,
    /// Costs in it are in thousandths of a unit.
    problem: Problem,
}

/// A budget.
#[derive(Serialize)]
struct Point {
    bytes: u64,
    /// What uses and copies cost; absent if nothing fits, or no plan was found.
    cost: Option<f64>,
    /// What they cost at least.
    bound: Option<f64>,
}

impl Curves {
    /// The curves of functions, in the order of the module.
    pub fn new(unit: &str, functions: Vec<Curve>) -> Self {
        Self {
            version: 1,
            unit: unit.to_owned(),
            functions,
        }
    }
}

impl Curve {
    /// The curve of a function.
    pub fn of(name: String, problem: &Problem, others: u128, settings: &Settings) -> Self {
        let limited = settings
            .spaces
            .iter()
            .position(|space| space.limit.is_some());
        let space = limited.unwrap_or(0);
        let most = most(problem, space);
        let points = (0..=POINTS).map(|number| {
            let bytes = u64::try_from(u128::from(most) * u128::from(number) / u128::from(POINTS));
            point(problem, space, bytes.unwrap_or(u64::MAX), settings)
        });
        Self {
            name,
            space: space_name(&settings.spaces[space].memory_space).to_owned(),
            points: points.collect(),
            others: units(others),
            problem: problem.clone(),
        }
    }
}

fn point(problem: &Problem, space: usize, bytes: u64, settings: &Settings) -> Point {
    let mut problem = problem.clone();
    problem.spaces[space].capacity = Some(bytes);
    let (cost, bound) = match solve(&problem, &settings.effort) {
        Ok(Outcome::Plan(plan, Proof::Optimal)) => (Some(plan.cost), Some(plan.cost)),
        Ok(Outcome::Plan(plan, Proof::AtLeast(bound))) => (Some(plan.cost), Some(bound)),
        _ => (None, None),
    };
    Point {
        bytes,
        cost: cost.map(units),
        bound: bound.map(units),
    }
}

fn units(cost: u128) -> f64 {
    cost as f64 / Cost::ONE.0 as f64
}

/// The most bytes that are in a space at once if all buffers are there that may be.
fn most(problem: &Problem, space: usize) -> u64 {
    let mut changes: Vec<(u32, i128)> = Vec::new();
    let mut add = |range: (u32, u32), bytes: u64| {
        if range.0 < range.1 {
            changes.extend([(range.0, i128::from(bytes)), (range.1, -i128::from(bytes))]);
        }
    };
    let is_there = |fixed: &&Fixed| fixed.space == space;
    for fixed in problem.fixed.iter().filter(is_there) {
        add(fixed.range, fixed.bytes);
    }
    for buffer in &problem.buffers {
        for layer in 0..buffer.layers() {
            let spaces = match layer % 2 {
                0 => buffer.touches[layer / 2].spaces,
                _ => buffer.gaps[layer / 2].spaces,
            };
            if spaces.has(space) {
                buffer
                    .ranges(layer)
                    .iter()
                    .for_each(|range| add(*range, buffer.size));
            }
        }
    }
    changes.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, bytes) in changes {
        now += bytes;
        most = most.max(now);
    }
    u64::try_from(most).unwrap_or(u64::MAX)
}
