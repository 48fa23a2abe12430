//! Errors of the pass, each at an operation.

use super::codes;
use crate::failure::fail;
use memplan_mlir::{
    build::CopyProblem, codes::Code, ir::Op, melior::ir::operation::OperationLike, pass::Failed,
};

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// An operation with unknown memory effects, such as one of an unregistered dialect.
    #[error("has unknown effects on memrefs: let it implement MemoryEffectOpInterface")]
    UnknownEffects,
    /// A terminator whose forwarding is unknown.
    #[error(
        "forwards memrefs to unknown destinations: let it implement BranchOpInterface or \
         RegionBranchTerminatorOpInterface"
    )]
    Terminator,
    /// A terminator whose parent operation does not describe what it forwards.
    #[error(
        "forwards memrefs to '{0}', whose control flow is unknown: lower that first, or let it \
         implement RegionBranchOpInterface"
    )]
    ForwardedTo(String),
    /// An operation that consumes memory which is live after it.
    #[error("frees or consumes memory that may be used later")]
    ConsumedWhileLive,
    /// A function that frees memory of callers, which cannot learn of it.
    #[error(
        "frees memory of the caller, which a function pass cannot update: schedule the pass on \
        builtin.module"
    )]
    CallerUnaware,
    /// A model of `BufferDeallocationOpInterface` whose answer has no description.
    #[error(
        "has a model of BufferDeallocationOpInterface that cannot be followed: register the operation"
    )]
    Model,
    /// A model of `BufferDeallocationOpInterface` for an operation with regions, or a terminator.
    #[error(
        "has a model of BufferDeallocationOpInterface, which is used only for operations \
         without regions that are not terminators"
    )]
    ModelWithRegions,
    /// Results were removed after `memplan-regions` numbered the borrowed ones.
    #[error(
        "lost results after memplan-regions recorded which of them are borrowed: free memory \
        before results are removed"
    )]
    Stale,
    /// A `memref.realloc` that has to be expanded first.
    #[error("has to be expanded: run expand-realloc first")]
    Realloc,
    /// A clone that cannot be expanded. If it stayed, later passes might replace it by its source after that
    /// is freed.
    #[error("cannot become memref.alloc and memref.copy: {0}")]
    Clone(CopyProblem),
    /// A result that would have to be copied and cannot be.
    #[error("may return memory that the function does not own, and that cannot be copied: {0}")]
    NoCopy(CopyProblem),
    /// A value that may be memory of different allocators.
    #[error("may be memory of different allocators, which need different deallocations")]
    MixedAllocators,
    /// A result whose caller would free it by `memref.dealloc`, which is not the counterpart of its
    /// allocator.
    #[error("returns memory that '{0}' frees, but callers free results by memref.dealloc")]
    OtherAllocator(&'static str),
    /// A result whose caller would have to know the allocator.
    #[error(
        "may return memory of different allocators, or a copy: callers cannot know which operation frees it"
    )]
    ReturnsMixed,
    /// A result whose allocator callers cannot learn.
    #[error(
        "returns memory that '{0}' frees to callers, which a function pass cannot update: \
         schedule the pass on builtin.module"
    )]
    AllocatorUnknownToCaller(&'static str),
    /// The result of a call of an unknown callee, which may be memory of different allocators.
    #[error("may be memory of different allocators, as the callee is known only at run time")]
    UnknownAllocator,
    /// A signature that cannot be extended by a flag.
    #[error(
        "cannot forward an ownership flag with a memref: give all memory that it may refer to \
         one owner, for example by copies"
    )]
    Signature,
    /// A memref that is not available yet (`!async.value`), so it cannot be copied.
    #[error(
        "returns an async memref to the caller, who would own it, but the function may not own \
        it"
    )]
    AwaitedNotOwned,
    /// Memory would have to be freed on an edge that takes no code.
    #[error(
        "memory would have to be freed between its regions, where no operation can be \
    inserted"
    )]
    NoPlace,
    /// New memory that is returned as a borrowed result.
    #[error(
        "returns memory that the function has to free, as a result that is marked `memplan.borrowed`"
    )]
    NewReturnedAsBorrowed,
}

impl ErrorKind {
    const fn code(&self) -> &'static Code {
        match self {
            Self::UnknownEffects => codes::UNKNOWN_EFFECTS,
            Self::Terminator | Self::ForwardedTo(_) => codes::TERMINATOR,
            Self::ConsumedWhileLive => codes::CONSUMED_WHILE_LIVE,
            Self::CallerUnaware => codes::CALLER_UNAWARE,
            Self::Model | Self::ModelWithRegions => codes::MODEL,
            Self::Stale => codes::STALE,
            Self::Realloc => codes::REALLOC,
            Self::Clone(_) => codes::CLONE,
            Self::NoCopy(_) | Self::AwaitedNotOwned => codes::NO_COPY,
            Self::MixedAllocators
            | Self::OtherAllocator(_)
            | Self::ReturnsMixed
            | Self::AllocatorUnknownToCaller(_)
            | Self::UnknownAllocator => codes::MIXED_ALLOCATORS,
            Self::Signature => codes::SIGNATURE,
            Self::NoPlace => codes::NO_PLACE,
            Self::NewReturnedAsBorrowed => codes::NOT_BORROWED,
        }
    }
}

/// An error and its operation.
#[derive(Clone, Debug)]
pub struct Error<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The kind.
    pub kind: ErrorKind,
}

impl Error<'_> {
    /// Emits the error as a diagnostic at the operation.
    pub fn emit(&self) -> Failed {
        let name = name_of(self.op);
        fail(self.op, self.kind.code(), format!("'{name}' {}", self.kind))
    }
}

/// The name of an operation, as `linalg.generic`.
pub fn name_of(op: Op<'_>) -> String {
    let name = op.name();
    let name = name.as_string_ref();
    name.as_str().unwrap_or("operation").to_owned()
}
