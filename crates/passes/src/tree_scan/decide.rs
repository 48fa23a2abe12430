//! Computes the layout that the options select, and all others for the report.

use super::{
    codes,
    settings::{Mode, Settings},
};
use crate::codes::INTERNAL;
use memplan_bounded::{
    Analysis, Placement, Plan, TradeOffPoint, Tree,
    check::{Fault, check},
};
use memplan_mlir::codes::Code;
use memplan_planner::{PlanError, ProblemError};

/// The reason why there is no layout.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// The planner rejects the problem.
    #[error(transparent)]
    Planner(#[from] PlanError),
    /// A layout is invalid: an internal error.
    #[error("internal error of memplan, nothing was changed: {0}")]
    Fault(#[from] Fault),
}

impl DecideError {
    /// The code of the error.
    pub const fn code(&self) -> &'static Code {
        match self {
            Self::Planner(PlanError::Problem(ProblemError::TooLarge)) => codes::TOO_LARGE,
            Self::Planner(_) | Self::Fault(_) => INTERNAL,
        }
    }
}

/// The layouts of a tree.
pub struct Decision<'t> {
    /// The analysis of the tree.
    pub analysis: Analysis<'t>,
    /// The layout without sharing.
    pub plain: Plan,
    /// The layout without moves, by the placement that the options select.
    pub scan: Plan,
    /// The layout without moves, by the planner.
    pub planner: Plan,
    /// The lowest layout with moves.
    pub defrag: Plan,
    /// The peak for each number of moved bytes.
    pub curve: Vec<TradeOffPoint>,
    /// The layout that the options select.
    pub chosen: Plan,
}

/// Computes the layouts. The chosen one is checked. With `all`, the layouts for the report are computed, too.
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
            // The budget selects the lowest stack, whatever places the values that do not move.
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

#[cfg(test)]
mod tests {
    use super::*;
    use memplan_bounded::{Builder, Value};
    use memplan_mlir::pass::{OptionValues, Pass};

    /// Three buffers of 32, 16 and 32 bytes; the outer ones die, and 64 bytes are needed. 144 bytes without sharing, 112
    /// without moves, and 80, the load, with 16 bytes moved.
    fn fragmented() -> Tree {
        let mut program = Builder::new();
        program.open(None);
        let mut made = Vec::new();
        for bytes in [32, 16, 32] {
            made.extend(program.step(&[], [Value::buffer(bytes, 8)]));
        }
        program.step(&[made[0]], []);
        program.step(&[made[2]], []);
        let large = program.step(&[], [Value::buffer(64, 8)])[0];
        program.step(&[made[1], large], []);
        program.finish().expect("a tree")
    }

    fn settings(mode: Mode, move_budget: Option<u64>) -> Settings {
        let declaration = crate::tree_scan::TreeScan::DECLARATION;
        let defaults = Settings::of(&OptionValues::defaults(declaration)).expect("valid");
        Settings {
            mode,
            move_budget,
            placement: Placement::First,
            ..defaults
        }
    }

    /// Peak of the layout that is chosen, and the bytes that it moves.
    fn chosen(mode: Mode, move_budget: Option<u64>) -> (u64, u64) {
        let tree = fragmented();
        let decision = decide(&tree, &settings(mode, move_budget), false).expect("a layout");
        let chosen = decision.chosen;
        (chosen.layout.peak, chosen.worst.moved_bytes)
    }

    #[test]
    fn each_mode_chooses_its_layout() {
        assert_eq!(chosen(Mode::Plain, None), (144, 0));
        assert_eq!(chosen(Mode::Scan, None), (112, 0));
        assert_eq!(chosen(Mode::Defrag, None), (80, 16));
    }

    #[test]
    fn a_budget_takes_the_planner_where_that_moves_nothing() {
        assert_eq!(chosen(Mode::Defrag, Some(0)), (80, 0));
    }

    #[test]
    fn a_report_has_all_layouts_whatever_is_chosen() {
        let tree = fragmented();
        let decision = decide(&tree, &settings(Mode::Plain, None), true).expect("a layout");
        let all = [
            &decision.plain,
            &decision.scan,
            &decision.planner,
            &decision.defrag,
        ];
        assert_eq!(all.map(|plan| plan.layout.peak), [144, 112, 80, 80]);
        assert!(!decision.curve.is_empty());
    }

    #[test]
    fn a_program_that_is_too_large_is_not_a_fault() {
        let too_large = PlanError::Problem(ProblemError::TooLarge);
        assert_eq!(DecideError::Planner(too_large).code(), codes::TOO_LARGE);
    }
}
