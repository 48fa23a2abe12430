//! What became of the order of operations in blocks: as plain data, and as a table.

use crate::Report;
use crate::columns::{Lean, aligned, clipped};
use crate::units::grouped;
use serde::{Deserialize, Serialize};

/// A block whose operations may stand in another order.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct OrderReport {
    /// The operation that it is in.
    pub location: String,
    /// How many operations may move.
    pub operations: u64,
    /// The most bytes live at once, as it was.
    pub load_before_bytes: u64,
    /// The same as it is.
    pub load_after_bytes: u64,
    /// No order of these operations needs less.
    pub lower_bound_bytes: u64,
    /// There is no better order.
    pub proven: bool,
}

/// A row for each block; nothing without any.
pub(crate) fn table(report: &Report) -> String {
    let heads = [
        "function",
        "block",
        "ops",
        "load before",
        "after",
        "any order",
        "best",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    for function in &report.functions {
        for order in &function.orders {
            rows.push([
                clipped(&function.name),
                clipped(&order.location),
                grouped(order.operations),
                grouped(order.load_before_bytes),
                grouped(order.load_after_bytes),
                grouped(order.lower_bound_bytes),
                if order.proven { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    if rows.len() == 1 {
        return String::new();
    }
    let mut leans = [Lean::Right; 7];
    leans[..2].fill(Lean::Left);
    leans[6] = Lean::Left;
    aligned(&rows, &leans, &[1])
}
