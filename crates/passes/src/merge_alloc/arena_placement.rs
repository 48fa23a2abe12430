//! Placement of arenas.

use super::codes;
use crate::failure::fail;
use memplan_declarations::merge_alloc::ARENA_PLACEMENTS;
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike, pass::Failed, symbols};
use memplan_semantics::{Semantics, statement::Outlined};

pub use memplan_semantics::attributes::ARENA_IN;

/// Placement of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArenaPlacement {
    /// On the heap: `memref.alloc`.
    Alloc,
    /// On the stack: `memref.alloca`.
    Alloca,
    /// In a `memref.global` of its own.
    Global,
    /// In an argument of the function.
    Argument,
}

impl ArenaPlacement {
    /// The placement of this name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "alloc" => Some(Self::Alloc),
            "alloca" => Some(Self::Alloca),
            "global" => Some(Self::Global),
            "arg" => Some(Self::Argument),
            _ => None,
        }
    }

    /// The name of the placement.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alloc => ARENA_PLACEMENTS[0],
            Self::Alloca => ARENA_PLACEMENTS[1],
            Self::Global => ARENA_PLACEMENTS[2],
            Self::Argument => ARENA_PLACEMENTS[3],
        }
    }

    /// Whether it needs changes outside of the function.
    pub const fn needs_module(self) -> bool {
        matches!(self, Self::Global | Self::Argument)
    }

    /// The placement that the attribute of `function` selects, or `otherwise`.
    pub fn wanted(function: Op<'_>, otherwise: Self) -> Result<Self, Failed> {
        if !function.has_attribute(ARENA_IN) {
            return Ok(otherwise);
        }
        let text = symbols::text(function, ARENA_IN);
        text.as_deref().and_then(Self::of).ok_or_else(|| {
            let takes = ARENA_PLACEMENTS.join(", ");
            let message = format!("`{ARENA_IN}` must be one of {takes}");
            fail(function, codes::ARENA_IN, message)
        })
    }

    /// The same where a later pass refuses what the attribute says wrongly.
    pub fn likely(function: Op<'_>, otherwise: Self) -> Self {
        let text = symbols::text(function, ARENA_IN);
        text.as_deref().and_then(Self::of).unwrap_or(otherwise)
    }

    /// Placement for a scope, given that of the function. A parallel body has one arena for each concurrent
    /// iteration, so its arena must not outlive an iteration.
    pub fn of_scope(self, analysis: &Analysis<'_>, scope: ScopeId) -> Self {
        let is_function = analysis.program.scopes[scope.index()].outer.is_none();
        if is_function || self == Self::Alloca {
            self
        } else {
            Self::Alloc
        }
    }
}

/// How a scope releases stack memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackScope {
    /// When the function returns, or the function that the body is outlined to.
    Function,
    /// The body needs a `memref.alloca_scope`.
    Wrapped,
    /// It cannot: the body has several blocks.
    Impossible,
    /// The function cannot hold stack memory.
    Nowhere,
}

impl StackScope {
    /// Release of a scope.
    pub fn of(analysis: &Analysis<'_>, scope: ScopeId, semantics: &mut Semantics) -> Self {
        let fact = &analysis.program.scopes[scope.index()];
        let (owner, _) = analysis.handles.scopes[scope.index()];
        let (info, says) = semantics.named(owner);
        if fact.outer.is_none() {
            return match info.is_allocation_scope() {
                true => Self::Function,
                false => Self::Nowhere,
            };
        }
        let outlined = says.outlined;
        let blocks = analysis.program.nodes[fact.body.index()].blocks.len();
        match (outlined, blocks) {
            (Some(Outlined::Always), _) => Self::Function,
            (_, 1) => Self::Wrapped,
            (Some(Outlined::SeveralBlocks), _) => Self::Function,
            (None, _) => Self::Impossible,
        }
    }
}
