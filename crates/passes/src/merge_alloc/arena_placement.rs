//! Where arenas live.

use super::codes;
use crate::failure::fail;
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike, pass::Failed, symbols};
use memplan_semantics::{Semantics, statement::Outlined};

pub use memplan_semantics::attributes::ARENA_IN;

/// What the option `arena` takes.
pub const HOMES: [&str; 4] = ["alloc", "alloca", "global", "arg"];

/// Where an arena lives.
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
    /// By the name that the option takes.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "alloc" => Some(Self::Alloc),
            "alloca" => Some(Self::Alloca),
            "global" => Some(Self::Global),
            "arg" => Some(Self::Argument),
            _ => None,
        }
    }

    /// The name that the option takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alloc => HOMES[0],
            Self::Alloca => HOMES[1],
            Self::Global => HOMES[2],
            Self::Argument => HOMES[3],
        }
    }

    /// More than the function itself is touched.
    pub const fn needs_module(self) -> bool {
        matches!(self, Self::Global | Self::Argument)
    }

    /// What `function` asks for, else `otherwise`.
    pub fn wanted(function: Op<'_>, otherwise: Self) -> Result<Self, Failed> {
        if !function.has_attribute(ARENA_IN) {
            return Ok(otherwise);
        }
        let text = symbols::text(function, ARENA_IN);
        text.as_deref().and_then(Self::of).ok_or_else(|| {
            let takes = HOMES.join(", ");
            let message = format!("`{ARENA_IN}` must be one of {takes}");
            fail(function, codes::ARENA_IN, message)
        })
    }

    /// Where the arena of a scope lives, if the function's own live here: a body that runs in
    /// parallel has as many arenas as it has turns at once, so none that outlives a turn.
    pub fn of_scope(self, analysis: &Analysis<'_>, scope: ScopeId) -> Self {
        let is_function = analysis.program.scopes[scope.index()].outer.is_none();
        if is_function || self == Self::Alloca {
            self
        } else {
            Self::Alloc
        }
    }
}

/// How a scope on the stack gives its bytes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackScope {
    /// With the function, or with what the body is outlined to.
    Function,
    /// A `memref.alloca_scope` has to be put around the body.
    Wrapped,
    /// It cannot: the body has several blocks.
    Impossible,
    /// There is none: the function holds no memory of the stack.
    Nowhere,
}

impl StackScope {
    /// That of a scope.
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
