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
    #[error("uses memrefs, but does not say how: let it implement MemoryEffectOpInterface")]
    UnknownEffects,
    /// Where its operands go is not known.
    #[error(
        "ends a block and hands memrefs on, but does not say where to: let it implement \
         BranchOpInterface or RegionBranchTerminatorOpInterface"
    )]
    Terminator,
    /// What the operation around does with them is not known.
    #[error(
        "hands memrefs on to '{0}', which does not say where they go: lower that before, or let it implement \
         RegionBranchOpInterface"
    )]
    HandedTo(String),
    /// Takes what is needed later on.
    #[error("frees or takes memory that may be needed behind it")]
    Taken,
    /// Its callers have to know of it.
    #[error(
        "frees memory of the caller, who is not told of it where the pass runs on functions: schedule it on builtin.module"
    )]
    Untold,
    /// It has a model whose answer says more than a description could.
    #[error(
        "has a model of BufferDeallocationOpInterface that cannot be followed: register the operation"
    )]
    Model,
    /// It decides where control goes, and has a model.
    #[error(
        "has a model of BufferDeallocationOpInterface, which is followed only for operations that have no regions \
         and end no block"
    )]
    ModelAround,
    /// Other passes took results away.
    #[error(
        "has lost results since memplan-regions said which of them are lent: free memory before results are taken away"
    )]
    Stale,
    /// Has to be lowered first.
    #[error("has to be expanded first: run expand-realloc before")]
    Realloc,
    /// Passes behind might take what it copies in its place, although that is freed.
    #[error("cannot be written out as memref.alloc and memref.copy: {0}")]
    Clone(CopyProblem),
    /// What it returns would have to be copied.
    #[error("may return memory that the function does not own, and that cannot be copied: {0}")]
    NoCopy(CopyProblem),
    /// New memory comes by different allocators.
    #[error("gets memory of different allocators, which are freed differently")]
    MixedAllocators,
    /// Its caller would free it by `memref.dealloc`.
    #[error(
        "returns memory that '{0}' gives back, and whoever calls the function frees what it gets by memref.dealloc"
    )]
    OtherAllocator(&'static str),
    /// Its caller would have to know which.
    #[error(
        "may return memory of different allocators, or a copy: callers cannot know which operation frees it"
    )]
    ReturnsMixed,
    /// Its callers have to know of it.
    #[error(
        "returns memory that '{0}' gives back to callers, who are not told of it where the pass runs on functions: schedule \
         it on builtin.module"
    )]
    AllocatorUntold(&'static str),
    /// Which function is called is not known.
    #[error("may get memory of different allocators, as only the run knows what it calls")]
    AnyAllocator,
    /// A signature cannot change as it has to.
    #[error(
        "cannot hand on a flag beside a memref that says who frees it: let all that it may be have one owner, such as by \
         copies"
    )]
    Signature,
    /// A memref that is still to come cannot be copied before.
    #[error(
        "hands a memref that is still to come to the caller, who would own it, but it may be someone else's"
    )]
    NotOurs,
    /// No code can be put there.
    #[error("memory would have to be freed between its regions, where no operation can stand")]
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
