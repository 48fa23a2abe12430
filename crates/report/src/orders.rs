//! What became of the order of operations in blocks: as plain data, and as a table.

use crate::Report;
use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::grouped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A block whose operations may stand in another order.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct OrderReport {
    /// The location of the operation whose block it is.
    pub location: String,
    /// The number of operations that may move.
    pub operations: u64,
    /// The most bytes live at once in the order of the program.
    pub load_before_bytes: u64,
    /// The most bytes live at once in the new order.
    pub load_after_bytes: u64,
    /// A lower bound: no order of these operations has a smaller load.
    pub lower_bound_bytes: u64,
    /// Whether it is proven that no order has a smaller load.
    pub proven: bool,
    /// The value of all dynamic dimensions for which the bytes are given; absent where all sizes are static.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u64>,
}

pub(crate) const COLUMNS: [Column; 7] = [
    Column::left("function", "The function."),
    Column::left(
        "block",
        "The location of the operation whose block was reordered.",
    ),
    Column::right("ops", "The number of operations that may move."),
    Column::right(
        "load before",
        "The most bytes live at once in the order of the program.",
    ),
    Column::right("after", "The most bytes live at once in the new order."),
    Column::right(
        "any order",
        "A lower bound: no order of these operations has a smaller load.",
    ),
    Column::left(
        "best",
        "Whether it is proven that no order has a smaller load.",
    ),
];

/// A row for each block; nothing without any.
pub(crate) fn table(report: &Report) -> String {
    let mut rows = vec![headings(&COLUMNS)];
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
    aligned(&rows, &alignments(&COLUMNS), &[1])
}
