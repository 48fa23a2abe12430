//! What a function costs at several budgets, for reports and as a file.

use super::{limits::needed, settings::Settings};
use memplan_machine::Cost;
use memplan_placement::{Fixed, Outcome, Problem, Proof, solve};
use memplan_report::{CostPoint, CostProof};
use serde::Serialize;

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
    pub name: String,
    /// The space that is limited.
    pub space: String,
    /// As in a report.
    pub points: Vec<CostPoint>,
    /// What accesses to other memory cost: to arguments, constants and results.
    pub others: f64,
    /// Costs in it are in thousandths of a unit.
    pub problem: Problem,
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

/// A cost in units.
pub fn units(cost: u128) -> f64 {
    cost as f64 / Cost::ONE.0 as f64
}

/// The costs at so many budgets of the limited space, from what operations need at once to the most that buffers would
/// take; and at its limit, where that is between them.
pub fn points(problem: &Problem, settings: &Settings, count: u64) -> Vec<CostPoint> {
    let space = settings.limited();
    let most = most(problem, space);
    let least = needed(problem.clone())[space].min(most);
    let steps = count.saturating_sub(1);
    let mut budgets: Vec<u64> = (0..count)
        .map(|number| match steps {
            0 => most,
            _ => {
                let above = u128::from(most - least) * u128::from(number) / u128::from(steps);
                least + u64::try_from(above).unwrap_or(u64::MAX)
            }
        })
        .collect();
    let limit = settings.spaces[space].limit;
    budgets.extend(limit.filter(|limit| count > 0 && (least..most).contains(limit)));
    budgets.sort_unstable();
    budgets.dedup();
    let found = budgets.into_iter();
    let mut found: Vec<Found> = found
        .map(|bytes| Found::at(problem, space, bytes, settings))
        .collect();
    share(&mut found);
    found.into_iter().map(Found::point).collect()
}

/// What was found at a budget.
struct Found {
    bytes: u64,
    /// The cost, and the bytes of copies.
    plan: Option<(u128, u128)>,
    bound: Option<u128>,
    /// Whether it is proven that nothing fits.
    fits_nothing: bool,
}

impl Found {
    fn at(problem: &Problem, space: usize, bytes: u64, settings: &Settings) -> Self {
        let mut problem = problem.clone();
        problem.spaces[space].capacity = Some(bytes);
        let outcome = solve(&problem, &settings.effort);
        let (plan, bound) = match &outcome {
            Ok(Outcome::Plan(plan, Proof::Optimal)) => (Some(plan), Some(plan.cost)),
            Ok(Outcome::Plan(plan, Proof::AtLeast(bound))) => (Some(plan), Some(*bound)),
            _ => (None, None),
        };
        Self {
            bytes,
            plan: plan.map(|plan| (plan.cost, plan.copied(&problem))),
            bound,
            fits_nothing: matches!(outcome, Ok(Outcome::Short(_) | Outcome::Impossible)),
        }
    }

    fn point(self) -> CostPoint {
        let proof = match (self.plan, self.bound) {
            (Some((cost, _)), Some(bound)) if bound == cost => CostProof::Optimal,
            (Some(_), Some(_)) => CostProof::Bound,
            _ if self.fits_nothing => CostProof::NothingFits,
            _ => CostProof::Unknown,
        };
        CostPoint {
            budget_bytes: self.bytes,
            cost: self.plan.map(|(cost, _)| units(cost)),
            lower_bound: self.bound.filter(|_| !self.fits_nothing).map(units),
            copied_bytes: self
                .plan
                .map(|(_, bytes)| u64::try_from(bytes).unwrap_or(u64::MAX)),
            proof,
        }
    }
}

/// An assignment for fewer bytes keeps a larger budget, and a bound for more bytes holds for fewer.
fn share(found: &mut [Found]) {
    let mut cheapest: Option<(u128, u128)> = None;
    for point in found.iter_mut() {
        if let Some(one) = cheapest
            && point.plan.is_none_or(|plan| one.0 < plan.0)
        {
            point.plan = Some(one);
            // Without a plan of its own, there is no bound either.
            point.bound = point.bound.or(Some(0));
        }
        cheapest = point.plan;
    }
    let mut highest = None;
    for point in found.iter_mut().rev() {
        point.bound = point.bound.max(highest);
        highest = point.bound;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: u64, cost: Option<u128>, bound: Option<u128>) -> Found {
        Found {
            bytes,
            plan: cost.map(|cost| (cost, 8)),
            bound,
            fits_nothing: cost.is_none() && bytes == 0,
        }
    }

    #[test]
    fn points_share_what_is_known() {
        let mut all = [
            found(0, None, None),
            found(1, Some(9000), Some(2000)),
            found(2, Some(9500), Some(4000)),
            found(3, None, None),
            found(4, Some(5000), Some(5000)),
        ];
        share(&mut all);
        let points: Vec<CostPoint> = all.into_iter().map(Found::point).collect();
        let costs: Vec<_> = points.iter().map(|point| point.cost).collect();
        let bounds: Vec<_> = points.iter().map(|point| point.lower_bound).collect();
        assert_eq!(costs, [None, Some(9.0), Some(9.0), Some(9.0), Some(5.0)]);
        assert_eq!(bounds, [None, Some(5.0), Some(5.0), Some(5.0), Some(5.0)]);
        let proofs: Vec<_> = points.iter().map(|point| point.proof).collect();
        assert_eq!(proofs[0], CostProof::NothingFits);
        assert_eq!(proofs[3..], [CostProof::Bound, CostProof::Optimal]);
    }
}
