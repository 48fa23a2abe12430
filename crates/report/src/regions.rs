//! What became of a function's memory in regions: as plain data, and as a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

use crate::columns::{Column, aligned, alignments, clipped, headings};
use crate::units::grouped;
use crate::{FunctionReport, Report, Skipped};

/// The regions of one version of a function. Field names and their order are the file format. Allocations that go to no
/// region are in `skipped`.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct RegionsReport {
    /// Whether the function receives a region from its caller and allocates its results there.
    pub takes_region: bool,
    /// The numbers of the results that stay borrowed.
    #[serde(rename = "lent_results")]
    pub borrowed_results: Vec<u64>,
    /// The regions that the function creates.
    pub made: Vec<MadeRegions>,
    /// The loops that release their memory in each iteration.
    pub loops: Vec<LoopRegions>,
    /// The allocations that go to regions.
    pub placed: Vec<PlacedAllocation>,
    /// The calls that pass a region.
    pub calls: Vec<PlacedCall>,
}

/// Regions that a function makes.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct MadeRegions {
    /// The kind of region: `function`, `loop`, `parallel`, `last-use` or `next-turn`.
    pub region: String,
    /// The location of the function, the loop or the parallel body.
    pub location: String,
    /// The number of such regions.
    pub count: u64,
}

/// A loop.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct LoopRegions {
    /// The location of the loop.
    pub location: String,
    /// How an iteration releases its memory: `mark` (back to a mark), `clear` (the whole region), or `swap` (two regions,
    /// where the next iteration reads the memory).
    #[serde(rename = "way")]
    pub release: String,
}

/// An allocation in a region.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct PlacedAllocation {
    /// The location of the allocation.
    pub location: String,
    /// The type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// The kind of region: of the `caller`, of the `function`, of a `loop`, of a `parallel` body, one that is emptied
    /// after a `last-use`, or one of two that a loop swaps for its `next-turn`.
    pub region: String,
}

/// A call that passes a region.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct PlacedCall {
    /// The location of the call.
    pub location: String,
    /// The function that is called.
    pub callee: String,
    /// The kind of region that the call passes: `caller`, `function`, `loop`, `parallel`, `last-use` or `next-turn`.
    pub region: String,
}

pub(crate) const COLUMNS: [Column; 12] = [
    Column::left("function", "The function."),
    Column::left(
        "receives",
        "Whether the function receives a region from its caller and allocates its results there.",
    ),
    Column::right("borrowed", "The number of results that stay borrowed."),
    Column::right(
        "regions",
        "The number of regions that the function creates.",
    ),
    Column::right("to caller", "Allocations in the region of the caller."),
    Column::right(
        "to function",
        "Allocations in the region of the function, which each return releases.",
    ),
    Column::right(
        "to loop",
        "Allocations in regions of loops and of parallel bodies, which each iteration releases.",
    ),
    Column::right(
        "to last use",
        "Allocations in regions that are emptied after their last use.",
    ),
    Column::right(
        "to next iteration",
        "Allocations in the two regions that a loop swaps: the next iteration reads them.",
    ),
    Column::right("skipped", "Allocations that go to no region."),
    Column::right(
        "mark/clear/swap",
        "Loops by how an iteration releases its memory: back to a mark, the whole region, or by swapping two regions.",
    ),
    Column::right("calls", "Calls that pass a region."),
];

/// The report in which each function is listed once: what one pass planned of it, and what another one put into regions. The
/// allocations that the one skips are not those that the other one took.
pub(crate) fn joined(report: &Report) -> Report {
    let mut functions: Vec<FunctionReport> = Vec::with_capacity(report.functions.len());
    // Names are those of one module.
    let ends = report
        .chunks
        .iter()
        .map(|chunk| chunk.first + chunk.functions);
    let ends: Vec<u64> = ends.chain([report.functions.len() as u64]).collect();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut chunk = 0;
    for (at, function) in report.functions.iter().enumerate() {
        if ends[chunk] <= at as u64 {
            known.clear();
            while ends[chunk] <= at as u64 {
                chunk += 1;
            }
        }
        let other = known.get(function.name.as_str()).copied();
        let other = other.filter(|other| {
            let is_split = functions[*other].regions.is_some() != function.regions.is_some();
            let is_one = functions[*other].scopes.is_empty() || function.scopes.is_empty();
            is_split && is_one
        });
        match other {
            Some(other) => join(&mut functions[other], function),
            None => {
                known.insert(&function.name, functions.len());
                functions.push(function.clone());
            }
        }
    }
    Report::new(functions)
}

/// Reasons of the pass that makes regions for allocations that are the planner's.
const PLANNED: [&str; 2] = ["known-size", "marked"];

fn join(one: &mut FunctionReport, other: &FunctionReport) {
    let (planned, in_regions) = match one.regions.is_some() {
        true => (other, &*one),
        false => (&*one, other),
    };
    let regions = in_regions.regions.clone();
    let placed = regions.iter().flat_map(|regions| &regions.placed);
    let placed: HashSet<&str> = placed.map(|placed| placed.location.as_str()).collect();
    let left = planned.skipped.iter();
    let left = left.filter(|skipped| !placed.contains(skipped.location.as_str()));
    let mut skipped: Vec<Skipped> = left.cloned().collect();
    let known: HashSet<String> = skipped.iter().map(|one| one.location.clone()).collect();
    let more = in_regions.skipped.iter().filter(|skipped| {
        !PLANNED.contains(&skipped.reason.as_str()) && !known.contains(&skipped.location)
    });
    skipped.extend(more.cloned());
    *one = FunctionReport {
        regions,
        skipped,
        ..planned.clone()
    };
}

/// A table with a row for each version of a function: its region argument, borrowed results and created regions, its
/// allocations by region, its loops by the release of memory, and its calls that pass a region. Other functions are
/// only counted. Empty without functions.
pub(crate) fn table(report: &Report) -> String {
    let mut rows = vec![headings(&COLUMNS)];
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
        let by = |release: &str| {
            let all = regions.loops.iter();
            count(all.filter(|one| one.release == release).count())
        };
        rows.push([
            clipped(&function.name),
            if regions.takes_region { "yes" } else { "no" }.to_owned(),
            count(regions.borrowed_results.len()),
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
        out.push_str(&aligned(&rows, &alignments(&COLUMNS), &[1]));
    }
    if silent > 0 {
        out.push_str(&crate::units::counted(silent, "function"));
        out.push_str(" without allocations for regions\n");
    }
    out
}
