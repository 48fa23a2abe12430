//! The layouts that are offered: without moves, at a limit, within a budget of moves, and all in a curve.

use crate::{
    layout::{Layout, PathCost},
    live::{Deaths, Load},
    scan::{self, Fit},
    tree::Tree,
};
use memplan_planner::{Buffer, Effort, Options, PlanError, Planner, Problem};

/// Where values are placed that are not moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placement {
    /// The lowest place that holds them.
    #[default]
    First,
    /// The smallest hole that holds them.
    Best,
    /// Where a planner that knows all paths puts them.
    Planner,
}

/// A tree with all that is worked out once.
#[derive(Clone, Debug)]
pub struct Analysis<'t> {
    /// The tree.
    pub tree: &'t Tree,
    /// Where values die.
    pub deaths: Deaths,
    /// The load.
    pub load: Load,
    placement: Placement,
    effort: Effort,
}

/// A layout, and what the worst path costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The layout.
    pub layout: Layout,
    /// The most over all paths, number by number.
    pub worst: PathCost,
}

/// A point of the curve: so high a stack can be had for so many bytes moved on any path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Bytes of the stack.
    pub peak: u64,
    /// The most bytes that are moved on a path.
    pub moved_bytes: u64,
}

/// At most so many limits from the load up to the peak without moves, both among them, ascending.
pub(crate) fn limits(low: u64, high: u64, unit: u64, most: u64) -> impl Iterator<Item = u64> {
    let span = high.saturating_sub(low) / unit;
    let steps = span.min(most);
    (0..=steps).map(move |step| match steps {
        0 => low,
        _ => low + (u128::from(span) * u128::from(step) / u128::from(steps)) as u64 * unit,
    })
}

/// Limits between the load and the peak without moves that are tried.
const LIMITS: u64 = 64;
/// Operations that all tries for a curve or a budget may walk over.
const STEPS: usize = 40_000_000;

impl<'t> Analysis<'t> {
    /// Works out lives and load.
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

    /// Nothing is shared.
    pub fn plain(&self) -> Plan {
        self.plan(scan::plain(self.tree))
    }

    /// A walk over the tree that uses holes again.
    pub fn scan(&self, fit: Fit<'_>) -> Plan {
        self.plan(scan::scan(self.tree, &self.deaths, fit))
    }

    /// One place for each value, by a planner that knows all paths; never higher than a scan. Paths agree
    /// on what they share, since a value is one buffer however many paths it is live on.
    ///
    /// # Errors
    ///
    /// Those of the planner, which are faults of ours: trees make sense.
    pub fn planner(&self) -> Result<Plan, PlanError> {
        let sizes = self.tree.rounded();
        let unit = self.tree.unit();
        let buffers = sizes.iter().enumerate().map(|(index, size)| {
            let ranges = self.deaths.ranges[index].iter().copied();
            Buffer::new(index as u64, *size, ranges).aligned(unit)
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

    /// The layout without moves of the placement asked for.
    ///
    /// # Errors
    ///
    /// Those of [`planner`](Self::planner).
    pub fn without_moves(&self) -> Result<Plan, PlanError> {
        Ok(match self.placement {
            Placement::First => self.scan(Fit::First),
            Placement::Best => self.scan(Fit::Best),
            Placement::Planner => self.planner()?,
        })
    }

    /// The layout of the least bytes moved that was found with a stack of at most `limit` bytes; `still` is
    /// the one without moves. Where what is pinned is in the way, the lowest that was found.
    pub fn at_limit(&self, still: &Plan, limit: u64) -> Plan {
        if still.layout.peak <= limit {
            return still.clone();
        }
        let hints = still.layout.offsets.as_slice();
        let fits: &[Fit<'_>] = match self.placement {
            Placement::First => &[Fit::First],
            Placement::Best => &[Fit::Best],
            Placement::Planner => &[Fit::First, Fit::Best, Fit::Hint(hints)],
        };
        let plans = fits
            .iter()
            .map(|fit| self.plan(scan::defrag(self.tree, &self.deaths, *fit, limit)))
            .chain([still.clone()]);
        let best = plans.min_by_key(|plan| (plan.layout.peak, plan.worst.moved_bytes));
        best.unwrap_or_else(|| still.clone())
    }

    /// The lowest stack that there is: the load, if nothing is pinned. What is pinned may take it above that:
    /// then the lowest that was found.
    pub fn lowest(&self, still: &Plan) -> Plan {
        let lowest = self.at_limit(still, self.load.most);
        if lowest.layout.peak == self.load.most {
            return lowest;
        }
        // Where it was placed decides, so placements that know all paths are tried as well.
        let mut all = self.plans(still);
        let wide = Self {
            placement: Placement::Planner,
            ..self.clone()
        };
        if let Ok(still) = wide.planner() {
            all.extend(wide.plans(&still));
        }
        let all = all.into_iter().chain([lowest]);
        let best = all.min_by_key(|plan| (plan.layout.peak, plan.worst.moved_bytes));
        best.unwrap_or_else(|| still.clone())
    }

    /// Limits from the load up to the peak without moves, ascending; few of a large tree.
    fn limits(&self, still: &Plan) -> Vec<u64> {
        let (low, high) = (self.load.most, still.layout.peak);
        let unit = self.tree.unit();
        let most = (STEPS / self.tree.len().max(1)) as u64;
        let count = LIMITS.min(most).max(2);
        limits(low, high, unit, count).collect()
    }

    /// The plans that the curve is of: ascending peaks, descending bytes moved, ending with `still`.
    pub fn plans(&self, still: &Plan) -> Vec<Plan> {
        let mut best: Vec<Plan> = Vec::new();
        let limits = self.limits(still);
        for limit in limits {
            let plan = self.at_limit(still, limit);
            // A higher stack is of use only for fewer bytes moved.
            let is_better = best
                .last()
                .is_none_or(|last| plan.worst.moved_bytes < last.worst.moved_bytes);
            if is_better {
                best.retain(|other| other.layout.peak < plan.layout.peak);
                let ends = plan.worst.moved_bytes == 0;
                best.push(plan);
                if ends {
                    return best;
                }
            }
        }
        best.retain(|other| other.layout.peak < still.layout.peak);
        best.push(still.clone());
        best
    }

    /// The curve: the peak against bytes moved, from none to all, ascending peaks.
    pub fn curve(plans: &[Plan]) -> Vec<Point> {
        let point = |plan: &Plan| Point {
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
