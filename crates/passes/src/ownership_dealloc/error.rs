//! What cannot be handled, at the operation that is in the way.

use super::codes;
use crate::failure::fail;
use memplan_mlir::{
    build::CopyProblem, codes::Code, ir::Op, melior::ir::operation::OperationLike, pass::Failed,
};

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// Such as an operation of an unregistered dialect.
    #[error("has unknown effects on memrefs: let it implement MemoryEffectOpInterface")]
    UnknownEffects,
    /// Where its operands go is not known.
    #[error(
        "forwards memrefs to unknown destinations: let it implement BranchOpInterface or \
         RegionBranchTerminatorOpInterface"
    )]
    Terminator,
    /// What the operation around does with them is not known.
    #[error(
        "forwards memrefs to '{0}', whose control flow is unknown: lower that first, or let it \
         implement RegionBranchOpInterface"
    )]
    HandedTo(String),
    /// Takes what is needed later on.
    #[error("frees or consumes memory that may be used later")]
    Taken,
    /// Its callers have to know of it.
    #[error(
        "frees memory of the caller, which a function pass cannot update: schedule the pass on \
        builtin.module"
    )]
    Untold,
    /// It has a model whose answer says more than a description could.
    #[error(
        "has a model of BufferDeallocationOpInterface that cannot be followed: register the operation"
    )]
    Model,
    /// It decides where control goes, and has a model.
    #[error(
        "has a model of BufferDeallocationOpInterface, which is used only for operations \
         without regions that are not terminators"
    )]
    ModelAround,
    /// Other passes took results away.
    #[error(
        "lost results after memplan-regions recorded which of them are borrowed: free memory \
        before results are removed"
    )]
    Stale,
    /// Has to be lowered first.
    #[error("has to be expanded: run expand-realloc first")]
    Realloc,
    /// Passes behind might take what it copies in its place, although that is freed.
    #[error("cannot become memref.alloc and memref.copy: {0}")]
    Clone(CopyProblem),
    /// What it returns would have to be copied.
    #[error("may return memory that the function does not own, and that cannot be copied: {0}")]
    NoCopy(CopyProblem),
    /// New memory comes by different allocators.
    #[error("may be memory of different allocators, which need different deallocations")]
    MixedAllocators,
    /// Its caller would free it by `memref.dealloc`.
    #[error("returns memory that '{0}' frees, but callers free results by memref.dealloc")]
    OtherAllocator(&'static str),
    /// Its caller would have to know which.
    #[error(
        "may return memory of different allocators, or a copy: callers cannot know which operation frees it"
    )]
    ReturnsMixed,
    /// Its callers have to know of it.
    #[error(
        "returns memory that '{0}' frees to callers, which a function pass cannot update: \
         schedule the pass on builtin.module"
    )]
    AllocatorUntold(&'static str),
    /// Which function is called is not known.
    #[error("may be memory of different allocators, as the callee is known only at run time")]
    AnyAllocator,
    /// A signature cannot change as it has to.
    #[error(
        "cannot forward an ownership flag with a memref: give all memory that it may refer to \
         one owner, for example by copies"
    )]
    Signature,
    /// A memref that is still to come cannot be copied before.
    #[error(
        "returns an async memref to the caller, who would own it, but the function may not own \
        it"
    )]
    NotOurs,
    /// No code can be put there.
    #[error(
        "memory would have to be freed between its regions, where no operation can be \
    inserted"
    )]
    NoPlace,
    /// New memory is returned where callers are told that it is somebody else's.
    #[error(
        "returns memory that the function has to free, as a result that is marked `memplan.borrowed`"
    )]
    Borrowed,
}

impl ErrorKind {
    const fn code(&self) -> &'static Code {
        match self {
            Self::UnknownEffects => codes::UNKNOWN_EFFECTS,
            Self::Terminator | Self::HandedTo(_) => codes::TERMINATOR,
            Self::Taken => codes::TAKEN,
            Self::Untold => codes::UNTOLD,
            Self::Model | Self::ModelAround => codes::MODEL,
            Self::Stale => codes::STALE,
            Self::Realloc => codes::REALLOC,
            Self::Clone(_) => codes::CLONE,
            Self::NoCopy(_) | Self::NotOurs => codes::NO_COPY,
            Self::MixedAllocators
            | Self::OtherAllocator(_)
            | Self::ReturnsMixed
            | Self::AllocatorUntold(_)
            | Self::AnyAllocator => codes::MIXED_ALLOCATORS,
            Self::Signature => codes::SIGNATURE,
            Self::NoPlace => codes::NO_PLACE,
            Self::Borrowed => codes::NOT_BORROWED,
        }
    }
}

/// What is missing, and where.
#[derive(Clone, Debug)]
pub struct Error<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What.
    pub what: ErrorKind,
}

impl Error<'_> {
    /// As a diagnostic at the operation.
    pub fn emit(&self) -> Failed {
        let name = name_of(self.op);
        fail(self.op, self.what.code(), format!("'{name}' {}", self.what))
    }
}

/// The name of an operation, as `linalg.generic`.
pub fn name_of(op: Op<'_>) -> String {
    let name = op.name();
    let name = name.as_string_ref();
    name.as_str().unwrap_or("operation").to_owned()
}
