//! Remarks and the report of a function.

use super::codes;
use memplan_declarations::reorder::DECLARATION;
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Op, location_text, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_report::{FunctionReport, OrderReport};

/// Result for a block.
#[derive(Clone, Debug)]
pub struct BlockOutcome<'c> {
    /// Parent operation of the block.
    pub owner: Op<'c>,
    /// Number of operations that may move.
    pub operations: usize,
    /// The most bytes live at once before the pass.
    pub before: u64,
    /// The most bytes live at once after it.
    pub after: u64,
    /// Lower bound for any order.
    pub bound: u64,
    /// Whether its operations were reordered.
    pub reordered: bool,
    /// Whether results count among the bytes.
    pub with_results: bool,
    /// The value of all dynamic dimensions for which bytes are given.
    pub dimension: Option<u64>,
    /// Whether a better order of the block exists that does not lower the peak of the function.
    pub declined: bool,
}

impl BlockOutcome<'_> {
    /// Whether the order is optimal.
    pub const fn is_proven(&self) -> bool {
        self.after == self.bound
    }

    fn text(&self) -> String {
        let Self {
            before,
            after,
            bound,
            operations,
            ..
        } = self;
        let at = match self.dimension {
            Some(value) => format!(", with dynamic dimensions of {value}"),
            None => String::new(),
        };
        let best = match self.is_proven() {
            true => "no order needs less".to_owned(),
            false => format!("any order needs at least {bound}"),
        };
        if self.reordered {
            let results = if self.with_results {
                ", results included"
            } else {
                ""
            };
            format!(
                "reordered: {operations} operations, at most {after} bytes live at once instead \
                of {before}{results}{at}; {best}"
            )
        } else if self.declined {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once{at}; \
                 fewer here would not lower the peak of the function"
            )
        } else if self.is_proven() {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once{at}; \
                {best}"
            )
        } else {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once{at}; no \
                 better order was found, and {best}"
            )
        }
    }
}

/// Emits a remark at each block: as a diagnostic with `diagnostics`, and to MLIR's remark engine if that is
/// enabled.
pub fn remarks(function: Op<'_>, all: &[BlockOutcome<'_>], diagnostics: bool) {
    let collects = collects_remarks(function, DECLARATION.argument);
    if !diagnostics && !collects {
        return;
    }
    let name = symbol_name(function);
    for outcome in all {
        let (code, status, kind) = match outcome.reordered {
            true => (codes::REORDERED, Outcome::Passed, "reordered"),
            false => (codes::KEPT, Outcome::Missed, "kept"),
        };
        let location = outcome.owner.location();
        if collects {
            let pass = DECLARATION.argument;
            optimization_remark(code, status, location, pass, kind, &name, || outcome.text());
        }
        if diagnostics {
            Diagnostic::new(code, location, outcome.text()).emit();
        }
    }
}

/// The report of a function.
pub fn report(function: Op<'_>, all: &[BlockOutcome<'_>]) -> FunctionReport {
    let order = |outcome: &BlockOutcome<'_>| OrderReport {
        location: location_text(outcome.owner.location()),
        operations: outcome.operations as u64,
        load_before_bytes: outcome.before,
        load_after_bytes: outcome.after,
        lower_bound_bytes: outcome.bound,
        proven: outcome.is_proven(),
        dimension: outcome.dimension,
    };
    FunctionReport {
        name: symbol_name(function),
        dimensions: Vec::new(),
        scopes: Vec::new(),
        skipped: Vec::new(),
        bounded: None,
        regions: None,
        orders: all.iter().map(order).collect(),
        chains: Vec::new(),
        functions_read: None,
        program: None,
        planned_bytes: None,
        lower_bound_bytes: None,
        heap_bytes: None,
        heap_lower_bound_bytes: None,
        costs: None,
        explained: None,
    }
}
