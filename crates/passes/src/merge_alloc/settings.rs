//! Options of the pass.

use super::{
    arena_placement::ArenaPlacement,
    banks::BankLayouts,
    excluded::{Excluded, ExcludedAddresses},
    size_bounds::SizeBounds,
};
use crate::coalescing::PackingOptions;
use crate::memory_spaces::{
    machine::Described,
    names::space,
    per_space::{self, PerSpace},
};
use memplan_lifetimes::AnalysisOptions;
use memplan_mlir::pass::OptionValues;
use memplan_planner::{Effort, Planner};
use std::str::FromStr;

/// Options of the pass.
#[derive(Clone, Debug)]
pub struct Settings {
    pub planner: Planner,
    pub effort: Effort,
    pub alignment: u64,
    pub free: bool,
    /// Whether to assert that arguments are as large as the arenas that they are.
    pub asserts_sizes: bool,
    /// The largest values of dimensions.
    pub bounds: SizeBounds,
    /// Whether to assert that arguments are within their bounds.
    pub asserts_bounds: bool,
    pub verify: bool,
    pub analyse_only: bool,
    pub remarks: bool,
    /// Whether buffers may reuse the bytes of others in place.
    pub in_place: bool,
    /// Placement of arenas.
    pub arena: ArenaPlacement,
    /// Whether callees use slices of their callers' arenas.
    pub module_scope: bool,
    /// Whether public functions have one arena.
    pub shares: bool,
    /// Whether globals that the program writes lie in that arena.
    pub state_in_arena: bool,
    /// Largest number of stack bytes for the arenas of one function.
    pub alloca_limit: u64,
    /// Which allocations are planned.
    pub wanted: AnalysisOptions,
    /// Largest trip count of a parallel loop whose arenas are hoisted.
    pub hoist_parallel: u64,
    /// Capacity of memory spaces, in bytes.
    pub capacity: PerSpace<u64>,
    /// Limits below that.
    pub budget: PerSpace<u64>,
    /// Addresses that no buffer may use.
    pub forbidden: ExcludedAddresses,
    /// The banks of memory spaces that have several.
    pub banks: BankLayouts,
    /// Least alignment in memory spaces, in bytes, where it is more than that of all.
    pub alignments: PerSpace<u64>,
    /// The description of the machine that the limits are of.
    pub machine: Option<Described>,
    /// Whether allocations are left alone if their arena could hold more than they would.
    pub leaves_larger: bool,
    /// Pairs of memory spaces: buffers may move from the first to the second, in this order.
    pub spill: Vec<(String, String)>,
    /// Whether loops are taken to run at least once.
    pub loops_run: bool,
    /// The most bytes of an arena.
    pub arena_limit: Option<u64>,
}

impl Settings {
    /// Reads the options.
    pub fn of(values: &OptionValues) -> Result<Self, String> {
        let how = PackingOptions::of("memplan-merge-alloc", values)?;
        let bounds = SizeBounds::of(values.list("bounds"), values.list("shape"))?;
        let wanted = AnalysisOptions {
            // Slots of dynamic size lie after the static part, where addresses may be forbidden, or above a limit.
            dynamic: values.text("dynamic") == "slots"
                && values.list("forbid").next().is_none()
                && values.integer("arena-limit") == 0,
            bounds: bounds.usage(),
            allocas: values.flag("allocas"),
            ..how.wanted
        };
        if values.text("share") == "entry-points" && values.text("arena") != "global" {
            let why = "memplan-merge-alloc: option 'share=entry-points' needs 'arena=global'";
            return Err(why.to_owned());
        }
        if values.text("state") == "arena" && values.text("share") != "entry-points" {
            let why = "memplan-merge-alloc: option 'state=arena' needs 'share=entry-points'";
            return Err(why.to_owned());
        }
        Ok(Self {
            planner: Planner::from_str(values.text("planner"))
                .map_err(|error| error.to_string())?,
            effort: Effort::from_str(values.text("effort")).map_err(|error| error.to_string())?,
            alignment: how.alignment,
            free: values.flag("free"),
            asserts_sizes: values.flag("assert-size"),
            bounds,
            asserts_bounds: values.flag("assert-bounds"),
            verify: values.flag("verify"),
            analyse_only: values.flag("analyse-only"),
            remarks: values.flag("remarks"),
            in_place: how.in_place,
            arena: ArenaPlacement::of(values.text("arena")).unwrap_or(ArenaPlacement::Alloc),
            module_scope: values.text("scope") == "module",
            shares: values.text("share") == "entry-points",
            state_in_arena: values.text("state") == "arena",
            alloca_limit: values.integer("alloca-limit") as u64,
            wanted,
            hoist_parallel: values.integer("hoist-parallel") as u64,
            capacity: per_space::bytes(values, "capacity", "memplan-merge-alloc")?,
            budget: per_space::bytes(values, "budget", "memplan-merge-alloc")?,
            forbidden: forbidden(values)?,
            banks: BankLayouts::default(),
            alignments: PerSpace::default(),
            machine: None,
            arena_limit: u64::try_from(values.integer("arena-limit"))
                .ok()
                .filter(|limit| *limit > 0),
            loops_run: values.text("min-trips") == "1",
            leaves_larger: values.text("when-larger") == "leave",
            spill: spills(values)?,
        })
    }

    /// The largest of all least alignments.
    pub fn most_alignment(&self) -> u64 {
        self.alignments
            .values()
            .copied()
            .fold(self.alignment, u64::max)
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

fn forbidden(values: &OptionValues) -> Result<ExcludedAddresses, String> {
    let range = |text: &str| {
        let (start, end) = memplan_bytes::parse_range(text).ok()?;
        let state = String::new();
        Some(vec![Excluded { start, end, state }])
    };
    let takes = "[SPACE:]FROM-TO, such as 0-4KiB or 1:0x100-0x200";
    let option = ("forbid", "memplan-merge-alloc");
    per_space::parsed(values, option, takes, range, |known, more| {
        known.extend(more);
        true
    })
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
