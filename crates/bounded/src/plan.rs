//! Choice of layouts: without moves, at a limit, within a budget of moved bytes, and the curve of all.

use crate::{
    layout::{Layout, PathCost},
    live::{Deaths, Load},
    scan::{self, Fit},
    tree::Tree,
};
use memplan_planner::{Buffer, Effort, Options, PlanError, Planner, Problem};

/// The rule that places values without moving them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placement {
    /// The lowest hole that fits.
    #[default]
    First,
    /// The smallest hole that fits.
    Best,
    /// The offset that a solver chooses with all paths in view.
    Planner,
}

/// A tree with its liveness and load.
#[derive(Clone, Debug)]
pub struct Analysis<'t> {
    /// The analysed tree.
    pub tree: &'t Tree,
    /// The deaths of its values.
    pub deaths: Deaths,
    /// The load of the tree.
    pub load: Load,
    placement: Placement,
    effort: Effort,
}

/// A layout with its maximum costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The layout itself.
    pub layout: Layout,
    /// The maximum over all paths, for each field separately.
    pub worst: PathCost,
}

/// A point of the trade-off curve: a stack size, and the bytes that must be moved to reach it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TradeOffPoint {
    /// The size of the stack, in bytes.
    pub peak: u64,
    /// The most bytes moved on one path.
    pub moved_bytes: u64,
}

/// Up to `most` + 1 limits from `low` up to `high`, ascending, both included; multiples of `unit` apart.
pub(crate) fn limits(low: u64, high: u64, unit: u64, most: u64) -> impl Iterator<Item = u64> {
    let span = high.saturating_sub(low) / unit;
    let steps = span.min(most);
    (0..=steps).map(move |step| match steps {
        0 => low,
        _ => low + (u128::from(span) * u128::from(step) / u128::from(steps)) as u64 * unit,
    })
}

/// The number of limits tried for a curve or a budget, between the load and the peak without moves.
const LIMITS: u64 = 64;
/// The number of operations that all tries for a curve or a budget may visit.
const STEPS: usize = 40_000_000;

impl<'t> Analysis<'t> {
    /// Computes liveness and load.
    pub fn new(tree: &'t Tree, placement: Placement, effort: Effort) -> Self {
        let deaths = Deaths::of(tree);
        Self {
            tree,
            load: Load::of(tree, &deaths),
            deaths,
            placement,
            effort,
        }
    }

    fn plan(&self, layout: Layout) -> Plan {
        let worst = layout.worst(self.tree, &self.load);
        Plan { layout, worst }
    }

    /// The layout without reuse.
    pub fn plain(&self) -> Plan {
        self.plan(scan::plain(self.tree))
    }

    /// The layout of one walk over the tree that reuses holes.
    pub fn scan(&self, fit: Fit<'_>) -> Plan {
        self.plan(scan::scan(self.tree, &self.deaths, fit))
    }

    /// One offset for each value, by a solver with all paths in view; never higher than a scan. Paths agree on every
    /// offset, since a value is one buffer on all paths on which it is live.
    ///
    /// # Errors
    ///
    /// If the solver fails, which is a bug: problems built from trees are valid.
    pub fn planner(&self) -> Result<Plan, PlanError> {
        let values = self.tree.values.iter().enumerate();
        let buffers = values.map(|(index, value)| {
            let ranges = self.deaths.ranges[index].iter().copied();
            Buffer::new(index as u64, value.size, ranges).aligned(value.alignment)
        });
        let problem = Problem {
            buffers: buffers.collect(),
            ..Problem::default()
        };
        let options = Options::default().with_effort(self.effort);
        let solved = Planner::Auto.solve_with(&problem, &options)?;
        let mut best = self.plan(Layout::fixed(self.tree, solved.solution.offsets));
        for fit in [Fit::First, Fit::Best] {
            let other = self.scan(fit);
            if other.layout.peak < best.layout.peak {
                best = other;
            }
        }
        Ok(best)
    }

    /// The layout without moves for the analysis's placement.
    ///
    /// # Errors
    ///
    /// Like [`planner`](Self::planner).
    pub fn without_moves(&self) -> Result<Plan, PlanError> {
        Ok(match self.placement {
            Placement::First => self.scan(Fit::First),
            Placement::Best => self.scan(Fit::Best),
            Placement::Planner => self.planner()?,
        })
    }

    /// The layout with the fewest bytes moved that was found with a stack of at most `limit` bytes. `unmoved` is the
    /// layout without moves. Where pinned values leave too little space, the lowest stack that was found.
    pub fn at_limit(&self, unmoved: &Plan, limit: u64) -> Plan {
        if unmoved.layout.peak <= limit {
            return unmoved.clone();
        }
        let hints = unmoved.layout.offsets.as_slice();
        let fits: &[Fit<'_>] = match self.placement {
            Placement::First => &[Fit::First],
            Placement::Best => &[Fit::Best],
            Placement::Planner => &[Fit::First, Fit::Best, Fit::Hint(hints)],
        };
        let plans = fits
            .iter()
            .map(|fit| self.plan(scan::defrag(self.tree, &self.deaths, *fit, limit)))
            .chain([unmoved.clone()]);
        let best = plans.min_by_key(|plan| (plan.layout.peak, plan.worst.moved_bytes));
        best.unwrap_or_else(|| unmoved.clone())
    }

    /// The layout with the lowest stack. If nothing is pinned, that is at most the load of rounded sizes; else it is
    /// the lowest that was found.
    pub fn lowest(&self, unmoved: &Plan) -> Plan {
        let lowest = self.at_limit(unmoved, self.load.most_rounded);
        if lowest.layout.peak <= self.load.most_rounded {
            return lowest;
        }
        // Pins depend on where values were placed, so placements with all paths in view are tried as well.
        let mut all = self.plans(unmoved);
        let wide = Self {
            placement: Placement::Planner,
            ..self.clone()
        };
        if let Ok(unmoved) = wide.planner() {
            all.extend(wide.plans(&unmoved));
        }
        let all = all.into_iter().chain([lowest]);
        let best = all.min_by_key(|plan| (plan.layout.peak, plan.worst.moved_bytes));
        best.unwrap_or_else(|| unmoved.clone())
    }

    /// Limits from the load up to the peak without moves, ascending; fewer for a large tree.
    fn limits(&self, unmoved: &Plan) -> Vec<u64> {
        let (low, high) = (self.load.most_rounded, unmoved.layout.peak);
        let unit = self.tree.unit();
        let most = (STEPS / self.tree.len().max(1)) as u64;
        let count = LIMITS.min(most).max(2);
        limits(low, high, unit, count).collect()
    }

    /// The layouts of the curve: ascending peaks, descending bytes moved; `unmoved` is the last.
    pub fn plans(&self, unmoved: &Plan) -> Vec<Plan> {
        let mut best: Vec<Plan> = Vec::new();
        let limits = self.limits(unmoved);
        for limit in limits {
            let plan = self.at_limit(unmoved, limit);
            // A higher stack is useful only if it moves fewer bytes.
            let is_better = best
                .last()
                .is_none_or(|last| plan.worst.moved_bytes < last.worst.moved_bytes);
            if is_better {
                best.retain(|other| other.layout.peak < plan.layout.peak);
                let is_last = plan.worst.moved_bytes == 0;
                best.push(plan);
                if is_last {
                    return best;
                }
            }
        }
        best.retain(|other| other.layout.peak < unmoved.layout.peak);
        best.push(unmoved.clone());
        best
    }

    /// The trade-off curve of `plans`: peak against bytes moved, by ascending peaks.
    pub fn curve(plans: &[Plan]) -> Vec<TradeOffPoint> {
        let point = |plan: &Plan| TradeOffPoint {
            peak: plan.layout.peak,
            moved_bytes: plan.worst.moved_bytes,
        };
        plans.iter().map(point).collect()
    }

    /// The lowest stack for which no path moves more than `budget` bytes.
    pub fn within(plans: &[Plan], budget: u64) -> Option<&Plan> {
        plans.iter().find(|plan| plan.worst.moved_bytes <= budget)
    }
}
