//! The costs of a function at the function, for the report of the pass that plans its arenas.

use memplan_mlir::{
    build::{remove_attribute, set_attribute},
    ir::{Op, context_of},
    melior::ir::operation::OperationLike,
    symbols::text,
};
use memplan_report::CostReport;
use memplan_semantics::attributes::COSTS;

/// Records costs.
pub fn record(function: Op<'_>, costs: &CostReport) {
    let json = serde_json::to_string(costs).expect("costs are texts, numbers and lists");
    set_attribute(function, COSTS, context_of(function).text(&json));
}

/// Removes costs of an earlier assignment.
pub fn forget(function: Op<'_>) {
    if function.has_attribute(COSTS) {
        remove_attribute(function, COSTS);
    }
}

/// The costs that were recorded. Those of another version of memplan may not be readable.
pub fn recorded(function: Op<'_>) -> Option<CostReport> {
    serde_json::from_str(&text(function, COSTS)?).ok()
}
