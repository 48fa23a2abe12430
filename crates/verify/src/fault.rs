//! What may be wrong with a planned program, and how it is told.

use super::{
    codes,
    program::{Escape, OpId, Program, SliceId},
    state::Culprit,
};
use melior::ir::operation::OperationLike;
use memplan_mlir::melior;
use memplan_mlir::{codes::Code, diagnostics::Diagnostic, ir::Op};
use rustc_hash::FxHashSet;

/// Where faults go.
pub trait Faults {
    /// Takes one.
    fn add(&mut self, fault: Fault);
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A slice is read that another one has overwritten.
    Overwritten {
        /// The read.
        op: OpId,
        /// What is read.
        slice: SliceId,
        /// Who wrote.
        by: Culprit,
    },
    /// A slice is born although an older instance may be read later.
    BornAgain {
        /// The birth.
        birth: OpId,
        /// Of which slice.
        slice: SliceId,
        /// The read of the older instance.
        read: OpId,
    },
    /// A slice is used where it was before it was moved.
    Moved {
        /// The use.
        op: OpId,
        /// Which.
        slice: SliceId,
        /// Where it was moved.
        moved: OpId,
    },
    /// A slice is used after its arena was freed.
    Freed {
        /// The use.
        op: OpId,
        /// What is used.
        slice: SliceId,
        /// Where the arena was freed.
        freed: OpId,
    },
    /// A slice is used, or born again, while something may still go on with another one in its bytes.
    Pending {
        /// The use.
        op: OpId,
        /// What is used.
        slice: SliceId,
        /// The other one; the same if it is born again.
        with: SliceId,
        /// Where that was started.
        start: OpId,
    },
    /// An arena is freed or left while something may still go on with a slice of it.
    Left {
        /// Where.
        op: OpId,
        /// Which slice.
        slice: SliceId,
        /// Where that was started.
        start: OpId,
    },
    /// A slice gets where it cannot be followed.
    Escapes {
        /// Where.
        op: OpId,
        /// Which.
        slice: SliceId,
        /// How.
        how: Escape,
    },
    /// A slice is deallocated.
    Deallocated {
        /// Where.
        op: OpId,
        /// Which.
        slice: SliceId,
    },
    /// Two slices that share bytes are promised to be distinct.
    NotDistinct {
        /// Where.
        op: OpId,
        /// One.
        slice: SliceId,
        /// The other.
        with: SliceId,
    },
    /// The plan itself makes no sense at an operation.
    Malformed {
        /// Which.
        op: OpId,
        /// What kind of error that is.
        code: &'static Code,
        /// Why.
        why: String,
    },
}

impl Fault {
    /// The operation that the error stands at.
    pub const fn op(&self) -> OpId {
        match self {
            Self::Overwritten { op, .. }
            | Self::Moved { op, .. }
            | Self::Freed { op, .. }
            | Self::Pending { op, .. }
            | Self::Left { op, .. }
            | Self::Escapes { op, .. }
            | Self::Deallocated { op, .. }
            | Self::NotDistinct { op, .. }
            | Self::Malformed { op, .. } => *op,
            Self::BornAgain { birth, .. } => *birth,
        }
    }

    const fn code(&self) -> &'static Code {
        match self {
            Self::Overwritten { .. } => codes::OVERWRITTEN,
            Self::BornAgain { .. } => codes::BORN_AGAIN,
            Self::Moved { .. } => codes::MOVED,
            Self::Freed { .. } => codes::FREED,
            Self::Pending { .. } => codes::PENDING,
            Self::Left { .. } => codes::LEFT,
            Self::Escapes { .. } => codes::ESCAPES,
            Self::Deallocated { .. } => codes::DEALLOCATED,
            Self::NotDistinct { .. } => codes::NOT_DISTINCT,
            Self::Malformed { code, .. } => code,
        }
    }

    /// Where else to look, and what is there.
    const fn elsewhere(&self) -> Option<(OpId, &'static str)> {
        match self {
            Self::Overwritten { by, .. } => Some((by.op, "overwritten here")),
            Self::BornAgain { read, .. } => Some((*read, "read here")),
            Self::Moved { moved, .. } => Some((*moved, "moved here")),
            Self::Freed { freed, .. } => Some((*freed, "freed here")),
            Self::Pending { start, .. } | Self::Left { start, .. } => {
                Some((*start, "started here"))
            }
            _ => None,
        }
    }

    /// What is wrong, in a sentence.
    fn message(&self, program: &Program) -> String {
        let buffer = |slice: SliceId| program.slices[slice.index()].buffer;
        match self {
            Self::Overwritten { op, slice, by } if by.slice == *slice => format!(
                "buffer {} is read {} an older instance of it overwrote its bytes",
                buffer(*slice),
                if *op == by.op { "while" } else { "after" },
            ),
            Self::Overwritten { op, slice, by } if *op == by.op => format!(
                "buffer {} is read while buffer {} overwrites its bytes",
                buffer(*slice),
                buffer(by.slice)
            ),
            Self::Overwritten { slice, by, .. } => format!(
                "buffer {} is read after buffer {} overwrote its bytes",
                buffer(*slice),
                buffer(by.slice)
            ),
            Self::BornAgain { slice, .. } => format!(
                "buffer {} is born again while an older instance of it may still be read",
                buffer(*slice)
            ),
            Self::Moved { slice, .. } => format!(
                "buffer {} is used where it was before it was moved",
                buffer(*slice)
            ),
            Self::Freed { slice, .. } => {
                format!(
                    "buffer {} is used after its arena was freed",
                    buffer(*slice)
                )
            }
            Self::Pending { slice, with, .. } if slice == with => format!(
                "buffer {} is born again while an asynchronous operation may still use it",
                buffer(*slice)
            ),
            Self::Pending { slice, with, .. } => format!(
                "buffer {} is used while an asynchronous operation may still use buffer {} in its bytes",
                buffer(*slice),
                buffer(*with)
            ),
            Self::Left { slice, .. } => format!(
                "buffer {} may still be used by an asynchronous operation when its arena is left",
                buffer(*slice)
            ),
            Self::Escapes { slice, how, .. } => {
                let how = match how {
                    Escape::Returned => "is returned",
                    Escape::Stored => "is stored or captured",
                    Escape::Cast => "is cast to something that is no memref",
                    Escape::Pointer => "has its pointer taken",
                };
                let slice = buffer(*slice);
                format!("buffer {slice} escapes: it {how}, but its bytes are the arena's")
            }
            Self::Deallocated { slice, .. } => format!(
                "buffer {} is deallocated, but its bytes are the arena's",
                buffer(*slice)
            ),
            Self::NotDistinct { slice, with, .. } => format!(
                "buffers {} and {} share bytes of their arena, so they are no distinct objects",
                buffer(*slice),
                buffer(*with)
            ),
            Self::Malformed { why, .. } => why.clone(),
        }
    }
}

/// Emits faults in the order of the text, each message once a place; says if there are any.
pub fn emit(mut faults: Vec<Fault>, program: &Program, ops: &[Op<'_>]) -> bool {
    faults.sort_by_key(Fault::op);
    let mut told = FxHashSet::default();
    for fault in &faults {
        let message = fault.message(program);
        // One fault spoils many reads after it: the first one is told.
        let culprit = match fault {
            Fault::Overwritten { by, slice, .. } => (by.op, Some(*slice)),
            other => (other.op(), None),
        };
        if !told.insert((culprit, message.clone())) {
            continue;
        }
        let mut diagnostic =
            Diagnostic::new(fault.code(), ops[fault.op().index()].location(), message);
        if let Some((op, text)) = fault.elsewhere() {
            diagnostic = diagnostic.note(ops[op.index()].location(), text);
        }
        diagnostic.emit();
    }
    !faults.is_empty()
}
