//! Options of the pass.

use super::arena_placement::ArenaPlacement;
use crate::coalescing::PackingOptions;
use memplan_lifetimes::AnalysisOptions;
use memplan_mlir::pass::OptionValues;
use memplan_planner::{Effort, Planner};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// Options of the pass.
#[derive(Clone, Debug)]
pub struct Settings {
    pub planner: Planner,
    pub effort: Effort,
    pub alignment: u64,
    pub free: bool,
    pub verify: bool,
    pub analyse_only: bool,
    pub remarks: bool,
    /// Whether buffers may reuse the bytes of others in place.
    pub in_place: bool,
    /// Placement of arenas.
    pub arena: ArenaPlacement,
    /// Whether callees use slices of their callers' arenas.
    pub module_scope: bool,
    /// Largest number of stack bytes for the arenas of one function.
    pub alloca_limit: u64,
    /// Which allocations are planned.
    pub wanted: AnalysisOptions,
    /// Largest trip count of a parallel loop whose arenas are hoisted.
    pub hoist_parallel: u64,
    /// Capacity of memory spaces, in bytes.
    pub capacity: FxHashMap<String, u64>,
    /// Pairs of memory spaces: buffers may move from the first to the second, in this order.
    pub spill: Vec<(String, String)>,
}

impl Settings {
    /// Reads the options.
    pub fn of(values: &OptionValues) -> Result<Self, String> {
        let how = PackingOptions::of("memplan-merge-alloc", values)?;
        let wanted = AnalysisOptions {
            dynamic: values.text("dynamic") == "slots",
            allocas: values.flag("allocas"),
            ..how.wanted
        };
        Ok(Self {
            planner: Planner::from_str(values.text("planner"))
                .map_err(|error| error.to_string())?,
            effort: Effort::from_str(values.text("effort")).map_err(|error| error.to_string())?,
            alignment: how.alignment,
            free: values.flag("free"),
            verify: values.flag("verify"),
            analyse_only: values.flag("analyse-only"),
            remarks: values.flag("remarks"),
            in_place: how.in_place,
            arena: ArenaPlacement::of(values.text("arena")).unwrap_or(ArenaPlacement::Alloc),
            module_scope: values.text("scope") == "module",
            alloca_limit: values.integer("alloca-limit") as u64,
            wanted,
            hoist_parallel: values.integer("hoist-parallel") as u64,
            capacity: capacities(values)?,
            spill: spills(values)?,
        })
    }

    /// An option that concerns other functions, if one is set.
    pub fn needs_module(&self) -> Option<&'static str> {
        match self.arena {
            ArenaPlacement::Global => Some("arena=global"),
            ArenaPlacement::Argument => Some("arena=arg"),
            _ if self.module_scope => Some("scope=module"),
            _ => None,
        }
    }
}

/// Name of the default memory space in options.
const DEFAULT_SPACE: &str = "default";

/// Short form of a memory space: `1` for what MLIR prints as `1 : i64`.
pub fn short_space(printed: &str) -> &str {
    printed.strip_suffix(" : i64").unwrap_or(printed)
}

/// The name of a memory space in options and attributes.
pub fn space_name(printed: &str) -> &str {
    match short_space(printed) {
        "" => DEFAULT_SPACE,
        name => name,
    }
}

/// The memory space of this name; `None` for an empty name.
pub fn space(name: &str) -> Option<String> {
    match short_space(name.trim()) {
        "" => None,
        // `memref<4xf32, 0>` is in the default memory space.
        DEFAULT_SPACE | "0" => Some(String::new()),
        name => Some(name.to_string()),
    }
}

fn capacities(values: &OptionValues) -> Result<FxHashMap<String, u64>, String> {
    let mut all = FxHashMap::default();
    for entry in values.list("capacity") {
        let parsed = entry
            .rsplit_once(':')
            .and_then(|(name, bytes)| Some((space(name)?, bytes.trim().parse::<u64>().ok()?)))
            .filter(|(_, bytes)| i64::try_from(*bytes).is_ok());
        let Some((name, bytes)) = parsed else {
            return Err(format!(
                "memplan-merge-alloc: option 'capacity' takes SPACE:BYTES, such as default:65536 or \
                 1:4096, not '{entry}'"
            ));
        };
        if all.insert(name, bytes).is_some() {
            return Err(format!(
                "memplan-merge-alloc: option 'capacity' has two entries for the memory space of \
                 '{entry}'"
            ));
        }
    }
    Ok(all)
}

fn spills(values: &OptionValues) -> Result<Vec<(String, String)>, String> {
    let mut all: Vec<(String, String)> = Vec::new();
    for entry in values.list("spill") {
        let parsed = entry
            .split_once("->")
            .and_then(|(from, to)| Some((space(from)?, space(to)?)))
            .filter(|(from, to)| from != to);
        let Some((from, to)) = parsed else {
            return Err(format!(
                "memplan-merge-alloc: option 'spill' takes SPACE->SPACE with two memory spaces, such \
                 as 1->default, not '{entry}'"
            ));
        };
        if all.iter().any(|(other, _)| *other == from) {
            return Err(format!(
                "memplan-merge-alloc: option 'spill' has two entries from the memory space of \
                 '{entry}'"
            ));
        }
        all.push((from, to));
    }
    Ok(all)
}
