//! Which layout the options ask for, and all others for the report.

use super::{
    codes,
    settings::{Mode, Settings},
};
use crate::codes::INTERNAL;
use memplan_bounded::{
    Analysis, Placement, Plan, Point, Tree,
    check::{Fault, check},
};
use memplan_mlir::codes::Code;
use memplan_planner::{PlanError, ProblemError};

/// Why there is no layout.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// The planner refused.
    #[error(transparent)]
    Planner(#[from] PlanError),
    /// A fault of ours, noticed in time.
    #[error("internal error of memplan, nothing was changed: {0}")]
    Fault(#[from] Fault),
}

impl DecideError {
    /// What kind of error it is.
    pub const fn code(&self) -> &'static Code {
        match self {
            Self::Planner(PlanError::Problem(ProblemError::TooLarge)) => codes::TOO_LARGE,
            Self::Planner(_) | Self::Fault(_) => INTERNAL,
        }
    }
}

/// The layouts of a tree.
pub struct Decision<'t> {
    /// What they are made from.
    pub analysis: Analysis<'t>,
    /// Without sharing.
    pub plain: Plan,
    /// Without moves, as the options place values.
    pub scan: Plan,
    /// Without moves, by the planner.
    pub planner: Plan,
    /// As low as moves get it.
    pub defrag: Plan,
    /// Peaks against bytes moved.
    pub curve: Vec<Point>,
    /// The one that the options ask for.
    pub chosen: Plan,
}

/// Decides. Every layout that may be written is checked; with `all`, those for the report are made too.
pub fn decide<'t>(
    tree: &'t Tree,
    settings: &Settings,
    all: bool,
) -> Result<Decision<'t>, DecideError> {
    let analysis = Analysis::new(tree, settings.placement, settings.effort);
    let plain = analysis.plain();
    let needs_scan = all || settings.mode != Mode::Plain;
    let scan = match needs_scan {
        true => analysis.without_moves()?,
        false => plain.clone(),
    };
    let planner = match all && settings.placement != Placement::Planner {
        true => analysis.planner()?,
        false => scan.clone(),
    };
    let plans = match all || settings.move_budget.is_some() {
        true => analysis.plans(&scan),
        false => Vec::new(),
    };
    let needs_defrag = all || settings.mode == Mode::Defrag;
    let defrag = match needs_defrag {
        true => analysis.lowest(&scan),
        false => scan.clone(),
    };
    let chosen = match (settings.mode, settings.move_budget) {
        (Mode::Plain, _) => plain.clone(),
        (Mode::Scan, _) => scan.clone(),
        (Mode::Defrag, None) => defrag.clone(),
        (Mode::Defrag, Some(budget)) => {
            // The lowest stack for that is asked for, whatever places what is not moved.
            let wide = Analysis::new(tree, Placement::Planner, settings.effort);
            let still = wide.planner()?;
            let more = match settings.placement {
                Placement::Planner => Vec::new(),
                _ => wide.plans(&still),
            };
            let within = [&plans, &more].map(|plans| Analysis::within(plans, budget));
            let all = within.into_iter().flatten().chain([&scan, &still]);
            let best = all.min_by_key(|plan| (plan.layout.peak, plan.worst.moved_bytes));
            best.unwrap_or(&scan).clone()
        }
    };
    check(tree, &chosen.layout)?;
    Ok(Decision {
        curve: Analysis::curve(&plans),
        analysis,
        plain,
        scan,
        planner,
        defrag,
        chosen,
    })
}
