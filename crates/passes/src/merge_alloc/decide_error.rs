//! Why there is no plan.

use super::{banks::failure::BankFailure, codes, given::Misfit, nested_arenas::NestedArenaKind};
use crate::codes::{EXTENSION, INTERNAL};
use crate::memory_spaces::names::{short_space, space_name};
use memplan_lifetimes::program::ScopeId;
use memplan_mlir::codes::Code;
use memplan_planner::{PlanError, ProblemError, validate::Violation};

/// Reasons for a failed plan.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// For example, an arena that exceeds the address space.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The planner failed.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The plan is invalid. Nothing was written.
    #[error("the plan is invalid, and was not used: {0}")]
    Wrong(#[from] Violation),
    /// No plan keeps the rules of banks.
    #[error("memory space {}: {failure}", space_name(.memory_space))]
    Banks {
        /// The memory space, as MLIR prints it.
        memory_space: String,
        /// Why there is none.
        failure: BankFailure,
        /// Indices and sizes of slices that would help elsewhere: those that are live at the peak, or the one that is too large.
        peak: Vec<(usize, u64)>,
    },
    /// An arena exceeds the capacity of its memory space.
    #[error("{}{}, more than its capacity of {capacity}", taken(*.size, *.inside, *.beside), with_memory_space(.memory_space))]
    OverCapacity {
        /// The memory space, as MLIR prints it.
        memory_space: String,
        /// Bytes of the arena.
        size: u64,
        /// Bytes of callees and parallel bodies while it is live.
        inside: u64,
        /// Bytes of allocations that are in no arena.
        beside: u64,
        /// Capacity in bytes.
        capacity: u64,
        /// Indices and sizes of the slices that are live at the peak.
        peak: Vec<(usize, u64)>,
    },
    /// A slice is larger than an arena may be.
    #[error("{} takes {size} bytes, more than arena-limit={limit}", what_is_over(*.slice))]
    OverLimit {
        /// The index of its contents; `None` for an arena that is not divided: callers pass it, or its memory space has banks.
        slice: Option<usize>,
        /// Its bytes.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// A slice fits into no arena, because of addresses that are excluded or of a given offset.
    #[error(
        "it ends at byte {end} of an arena, above arena-limit={limit}: its offset is given, or the addresses below are \
         excluded"
    )]
    EndsAboveLimit {
        /// The index of its contents.
        slice: usize,
        /// The first byte after it.
        end: u64,
        /// The limit.
        limit: u64,
    },
    /// A nested arena does not fit the given plan.
    #[error("a nested arena of {size} bytes does not fit the given plan")]
    Nested {
        /// The arena.
        what: NestedArenaKind,
        /// The scope whose arenas are nested.
        scope: ScopeId,
        /// Its bytes.
        size: u64,
        /// What the plan has instead.
        misfit: Misfit,
    },
    /// The size of the arena exceeds the range of offsets.
    #[error("the arena would take {0} bytes, more than 2^63 - 1")]
    TooLarge(u64),
}

impl DecideError {
    /// The diagnostic of the error.
    pub const fn code(&self) -> &'static Code {
        match self {
            Self::Banks { .. } => codes::NO_BANK,
            Self::OverCapacity { .. } => codes::OVER_CAPACITY,
            Self::OverLimit { .. } | Self::EndsAboveLimit { .. } => codes::OVER_LIMIT,
            Self::Nested { .. } => codes::MISFIT,
            Self::TooLarge(_)
            | Self::Problem(ProblemError::TooLarge)
            | Self::Plan(PlanError::Problem(ProblemError::TooLarge)) => codes::TOO_LARGE,
            Self::Plan(PlanError::Custom { .. }) => EXTENSION,
            Self::Problem(_) | Self::Plan(_) | Self::Wrong(_) => INTERNAL,
        }
    }
}

fn what_is_over(slice: Option<usize>) -> &'static str {
    match slice {
        Some(_) => "it",
        None => "the arena",
    }
}

/// What an arena takes, and what is live beside it.
fn taken(size: u64, inside: u64, beside: u64) -> String {
    let parts = [
        ("an arena", size),
        ("memory of callees and parallel bodies", inside),
        ("allocations in no arena", beside),
    ];
    let parts = parts.iter().filter(|(_, bytes)| *bytes > 0);
    let parts: Vec<&(&str, u64)> = parts.collect();
    if let [(what, bytes)] = parts[..] {
        let verb = if what.starts_with("an ") {
            "takes"
        } else {
            "take"
        };
        return format!("{what} {verb} {bytes} bytes");
    }
    let named: Vec<String> = parts
        .iter()
        .map(|(what, bytes)| format!("{what} of {bytes} bytes"))
        .collect();
    let all = parts.iter().map(|(_, bytes)| bytes).sum::<u64>();
    format!("{} take {all} bytes", named.join(" and "))
}

fn with_memory_space(memory_space: &str) -> String {
    if memory_space.is_empty() {
        String::new()
    } else {
        format!(" of memory space {}", short_space(memory_space))
    }
}
