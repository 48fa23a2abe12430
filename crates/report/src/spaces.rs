//! The columns that `memplan solve`, `bound` and `check` print for the memory spaces of a CSV.

use crate::columns::Column;

/// From left to right: the first six are about the problem, the others about a plan.
pub const COLUMNS: [Column; 11] = [
    Column::left("space", "The memory space: the column `space` of the CSV."),
    Column::right("buffers", "The number of buffers."),
    Column::right(
        "naive bytes",
        "The sum of the sizes of all buffers, each rounded up to its alignment: what separate allocations take.",
    ),
    Column::right(
        "load bytes",
        "The largest sum of sizes that are live at one point.",
    ),
    Column::right(
        "lower bound",
        "The best lower bound that was proven: no plan has a lower peak. It is at least the load.",
    ),
    Column::left(
        "proven by",
        "The kind of certificate of the lower bound, with where it holds.",
    ),
    Column::right("peak bytes", "One past the last byte that the plan uses."),
    Column::right(
        "ratio",
        "The peak divided by the lower bound; 1.000 is optimal.",
    ),
    Column::left("planner", "The planner whose plan was taken."),
    Column::left("optimal", "Whether the peak equals the lower bound."),
    Column::right(
        "reuse distance",
        "The mean time between the end of a buffer and the start of the next buffer in the same bytes, in the CSV's unit of \
         time.",
    ),
];

/// How many columns are about the problem alone.
pub const OF_PROBLEM: usize = 6;
