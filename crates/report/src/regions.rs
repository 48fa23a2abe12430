//! What became of a function's memory in regions: as plain data, and as a table.

use serde::{Deserialize, Serialize};

use crate::Report;
use crate::columns::{Lean, aligned, clipped};
use crate::units::grouped;

/// One version of a function, and where its memory goes. Field names and their order are the file format. Allocations
/// that stay are those of [`FunctionReport::skipped`](crate::FunctionReport::skipped).
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct RegionsReport {
    /// It takes a region from its caller, and makes what it returns there.
    pub takes_region: bool,
    /// The results that stay somebody else's, by their numbers.
    pub lent_results: Vec<u64>,
    /// The regions that it makes.
    pub made: Vec<MadeRegions>,
    /// The loops that give back, turn by turn, what they make.
    pub loops: Vec<LoopRegions>,
    /// The allocations that go to regions.
    pub placed: Vec<PlacedAllocation>,
    /// The calls of functions that take a region.
    pub calls: Vec<PlacedCall>,
}

/// Regions that a function makes.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct MadeRegions {
    /// What they are for, as [`PlacedAllocation::region`] says: all but `caller`.
    pub region: String,
    /// Where that is: the function, the loop, the body that runs in parallel.
    pub location: String,
    /// How many.
    pub count: u64,
}

/// A loop.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct LoopRegions {
    /// Where it is.
    pub location: String,
    /// How a turn gives back what it made: `mark`, `clear`, or `swap` where it makes it for the next one.
    pub way: String,
}

/// An allocation in a region.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct PlacedAllocation {
    /// Where it is.
    pub location: String,
    /// Type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// The region: of the `caller`, of the `function`, of a `loop`, of a body that runs in `parallel`, one of those that
    /// are emptied behind a `last-use`, or one of two that a loop fills for its `next-turn`.
    pub region: String,
}

/// A call that passes a region.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct PlacedCall {
    /// Where it is.
    pub location: String,
    /// What is called.
    pub callee: String,
    /// The region, as [`PlacedAllocation::region`] says.
    pub region: String,
}

const HEADINGS: [&str; 12] = [
    "function",
    "takes",
    "lends",
    "regions",
    "to caller",
    "to function",
    "to loop",
    "to last use",
    "to next turn",
    "left",
    "mark/clear/swap",
    "calls",
];

/// A row for each version of a function: whether it takes a region, how many results it lends and how many regions it
/// makes, its allocations by the region that they go to, those that stay, its loops by how they give back, and the calls
/// that pass a region. Functions without any of that are only counted; nothing without any function.
pub(crate) fn table(report: &Report) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let mut silent = 0;
    for function in &report.functions {
        let Some(regions) = &function.regions else {
            continue;
        };
        if *regions == RegionsReport::default() && function.skipped.is_empty() {
            silent += 1;
            continue;
        }
        let count = |number: usize| grouped(number as u64);
        let to = |names: &[&str]| {
            let all = regions.placed.iter();
            count(
                all.filter(|one| names.contains(&one.region.as_str()))
                    .count(),
            )
        };
        let by = |way: &str| {
            let all = regions.loops.iter();
            count(all.filter(|one| one.way == way).count())
        };
        rows.push([
            clipped(&function.name),
            if regions.takes_region { "yes" } else { "no" }.to_owned(),
            count(regions.lent_results.len()),
            grouped(regions.made.iter().map(|made| made.count).sum()),
            to(&["caller"]),
            to(&["function"]),
            to(&["loop", "parallel"]),
            to(&["last-use"]),
            to(&["next-turn"]),
            count(function.skipped.len()),
            ["mark", "clear", "swap"].map(by).join("/"),
            count(regions.calls.len()),
        ]);
    }
    let mut out = String::new();
    if rows.len() > 1 {
        let mut leans = [Lean::Right; HEADINGS.len()];
        leans[..2].fill(Lean::Left);
        out.push_str(&aligned(&rows, &leans, &[1]));
    }
    if silent > 0 {
        out.push_str(&crate::units::counted(silent, "function"));
        out.push_str(" without anything for regions\n");
    }
    out
}
