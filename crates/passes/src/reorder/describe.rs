//! What is told of a function: remarks, and the report.

use super::{codes, declaration::DECLARATION};
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Op, location_text, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_report::{FunctionReport, OrderReport};

/// What became of a block.
#[derive(Clone, Debug)]
pub struct BlockOutcome<'c> {
    /// The operation that it is in.
    pub owner: Op<'c>,
    /// How many operations may move.
    pub operations: usize,
    /// The most bytes live at once, as it was and as it is.
    pub before: u64,
    /// As it is now.
    pub after: u64,
    /// In any order.
    pub bound: u64,
    /// Its operations have another order.
    pub reordered: bool,
    /// It has an order that is better by itself, but not for the function.
    pub declined: bool,
}

impl BlockOutcome<'_> {
    /// No order of the block is better.
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
        let best = match self.is_proven() {
            true => "no order needs less".to_owned(),
            false => format!("any order needs at least {bound}"),
        };
        if self.reordered {
            format!(
                "reordered: {operations} operations, at most {after} bytes live at once instead \
                of {before}; {best}"
            )
        } else if self.declined {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once; \
                 fewer here would not lower the peak of the function"
            )
        } else if self.is_proven() {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once; \
                {best}"
            )
        } else {
            format!(
                "not reordered: {operations} operations, at most {after} bytes live at once; no \
                 better order was found, and {best}"
            )
        }
    }
}

/// A remark at each block: as a diagnostic if `diagnostics` is set, and to MLIR's remark engine where that wants them.
pub fn remarks(function: Op<'_>, all: &[BlockOutcome<'_>], diagnostics: bool) {
    let collects = collects_remarks(function);
    if !diagnostics && !collects {
        return;
    }
    let name = symbol_name(function);
    for told in all {
        let (code, outcome, kind) = match told.reordered {
            true => (codes::REORDERED, Outcome::Passed, "reordered"),
            false => (codes::KEPT, Outcome::Missed, "kept"),
        };
        let location = told.owner.location();
        if collects {
            let pass = DECLARATION.argument;
            optimization_remark(code, outcome, location, pass, kind, &name, || told.text());
        }
        if diagnostics {
            Diagnostic::new(code, location, told.text()).emit();
        }
    }
}

/// The report of a function.
pub fn report(function: Op<'_>, all: &[BlockOutcome<'_>]) -> FunctionReport {
    let order = |told: &BlockOutcome<'_>| OrderReport {
        location: location_text(told.owner.location()),
        operations: told.operations as u64,
        load_before_bytes: told.before,
        load_after_bytes: told.after,
        lower_bound_bytes: told.bound,
        proven: told.is_proven(),
    };
    FunctionReport {
        name: symbol_name(function),
        scopes: Vec::new(),
        skipped: Vec::new(),
        bounded: None,
        regions: None,
        orders: all.iter().map(order).collect(),
        functions_read: None,
    }
}
