//! Banks of memory spaces: where the machine has them, and which buffers the program wants in which of them.
//!
//! Rules come from attributes ([`read`]) and become those of the planner ([`BankRequest::of_arena`]). They concern the arena of
//! the function itself: its addresses are those of the memory space. Arenas that callers place are slices of theirs, and each
//! slice lies in one bank.
//!
//! A buffer with a rule shares no bytes in place with another one: both would be one buffer, with one place.

pub mod explain;
pub mod failure;
pub mod read;
pub mod unknown;

use super::plan::{Arena, Plan};
use crate::memory_spaces::names::short_space;
use memplan_lifetimes::{Analysis, program::Position};
use memplan_planner::{BankLayout, BankRule, BankRules, Banks};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The banks of memory spaces that have several.
#[derive(Clone, Debug, Default)]
pub struct BankLayouts(BTreeMap<String, BankLayout>);

impl BankLayouts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The banks of a memory space, as MLIR prints it.
    pub fn get(&self, printed: &str) -> Option<&BankLayout> {
        self.0.get(short_space(printed))
    }

    /// Adds those of a memory space.
    pub fn add(&mut self, printed: &str, layout: BankLayout) {
        self.0.insert(short_space(printed).to_owned(), layout);
    }

    /// The memory spaces, in order.
    pub fn all(&self) -> impl Iterator<Item = (&String, &BankLayout)> {
        self.0.iter()
    }
}

/// Buffers of which no two are in one bank while both are live.
#[derive(Clone, Debug)]
pub struct Apart {
    /// Their indices in [`Analysis::plannable`], sorted.
    pub members: Vec<usize>,
    /// The operation that touches them; `None` for a named group.
    pub position: Option<Position>,
}

/// Where a single buffer may be.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Its index in [`Analysis::plannable`].
    pub buffer: usize,
    /// The banks that it may touch, or in which it may start; empty for all.
    pub banks: Vec<u32>,
    /// Whether it may touch several contiguous banks.
    pub crosses: bool,
}

/// What the program asks for.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Rules of single buffers, by index.
    pub placements: Vec<Placement>,
    /// Buffers that are apart.
    pub apart: Vec<Apart>,
    /// All buffers with a rule.
    concerned: FxHashSet<usize>,
}

impl Rules {
    /// Collects rules.
    fn new(placements: Vec<Placement>, apart: Vec<Apart>) -> Self {
        let single = placements.iter().map(|rule| rule.buffer);
        let apart_ones = apart.iter().flat_map(|rule| rule.members.iter().copied());
        Self {
            concerned: single.chain(apart_ones).collect(),
            placements,
            apart,
        }
    }

    /// Whether a buffer has a rule.
    pub fn concerns(&self, plannable: usize) -> bool {
        self.concerned.contains(&plannable)
    }
}

/// The banks of a function's own arenas.
#[derive(Clone, Debug, Default)]
pub struct BankRequest {
    /// Where they are. Empty if callers place the arenas.
    pub layouts: BankLayouts,
    /// The rules.
    pub rules: Rules,
}

impl BankRequest {
    /// Where the banks of an arena are. The arenas of bodies are placed elsewhere.
    pub fn layout(&self, arena: &Arena) -> Option<&BankLayout> {
        let own = self.layouts.get(&arena.memory_space);
        own.filter(|_| arena.scope.index() == 0)
    }

    /// The banks of an arena, with the rules of its buffers.
    pub fn of_arena(&self, plan: &Plan, arena: &Arena, analysis: &Analysis<'_>) -> Option<Banks> {
        let layout = self.layout(arena)?.clone();
        // A buffer may have moved to another memory space.
        let ids: BTreeMap<usize, u64> = arena
            .slices
            .iter()
            .map(|slice| (slice.plannable, plan.id(analysis, slice)))
            .collect();
        let placements = self.rules.placements.iter().filter_map(|rule| {
            Some(BankRule {
                id: *ids.get(&rule.buffer)?,
                banks: rule.banks.clone(),
                crosses: rule.crosses,
            })
        });
        let apart = self.rules.apart.iter().map(|rule| {
            let members = rule.members.iter();
            members.filter_map(|member| ids.get(member).copied())
        });
        let apart = apart.map(Iterator::collect::<Vec<u64>>);
        let rules = BankRules {
            placements: placements.collect(),
            apart: apart.filter(|ids| ids.len() > 1).collect(),
        };
        Some(Banks { layout, rules })
    }
}

/// Banks as options and attributes have them.
pub fn text(layout: &BankLayout) -> String {
    match layout {
        BankLayout::Interleaved { count, width } => format!("{count}x{width}"),
        BankLayout::Contiguous(banks) => {
            let ranges = banks.iter();
            let ranges = ranges.map(|bank| format!("{}-{}", bank.start, bank.end));
            ranges.collect::<Vec<String>>().join(",")
        }
    }
}
