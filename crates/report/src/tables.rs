//! The tables of all commands, by their columns.

use crate::{chains, columns::Column, costs, orders, peak, regions, spaces, text};

/// The columns of a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The command that prints it, and what its rows are.
    pub name: &'static str,
    /// From left to right.
    pub columns: &'static [Column],
}

/// All tables that `memplan table`, `solve`, `bound` and `check` print.
pub fn all() -> Vec<Table> {
    let table = |name, columns| Table { name, columns };
    vec![
        table("`memplan table`: functions", &text::FUNCTIONS),
        table("`memplan table`: functions with regions", &regions::COLUMNS),
        table(
            "`memplan table --peak`: buffers of an arena",
            &peak::COLUMNS,
        ),
        table("`memplan table`: what calls hold", &text::HEAPS),
        table("`memplan table`: skipped allocations", &text::SKIPPED),
        table(
            "`memplan table`: layouts of bounded programs",
            &text::LAYOUTS,
        ),
        table("`memplan table`: sizes of bounded programs", &text::SIZES),
        table("`memplan table`: reordered blocks", &orders::COLUMNS),
        table("`memplan table`: chains in strips", &chains::COLUMNS),
        table("`memplan table`: costs in memory spaces", &costs::COLUMNS),
        table(
            "`memplan solve`, `bound` and `check`: memory spaces",
            &spaces::COLUMNS,
        ),
    ]
}
