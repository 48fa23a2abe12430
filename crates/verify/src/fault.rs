//! The faults of a planned program, and their messages.

use super::{
    codes,
    program::{Escape, OpId, Program, SliceId},
    state::{Culprit, Writer},
};
use melior::ir::operation::OperationLike;
use memplan_mlir::melior;
use memplan_mlir::{codes::Code, diagnostics::Diagnostic, ir::Op};
use rustc_hash::FxHashSet;

/// A sink for faults.
pub trait Faults {
    /// Adds a fault.
    fn add(&mut self, fault: Fault);
}

/// A fault of a planned program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A slice is read after another one has overwritten it.
    Overwritten {
        /// The read.
        op: OpId,
        /// The slice that is read.
        slice: SliceId,
        /// The write.
        by: Culprit,
    },
    /// A slice is born although an older instance may be read later.
    BornAgain {
        /// The birth.
        birth: OpId,
        /// The slice.
        slice: SliceId,
        /// The read of the older instance.
        read: OpId,
    },
    /// A slice is used at its old place after it was moved.
    Moved {
        /// The use.
        op: OpId,
        /// The slice.
        slice: SliceId,
        /// The move.
        moved: OpId,
    },
    /// A slice is used after its arena was freed.
    Freed {
        /// The use.
        op: OpId,
        /// The slice.
        slice: SliceId,
        /// The operation that frees the arena.
        freed: OpId,
    },
    /// A slice is used, or born again, while an asynchronous operation may still use its bytes.
    Pending {
        /// The use.
        op: OpId,
        /// The slice.
        slice: SliceId,
        /// The slice that the asynchronous operation uses; the same if it is born again.
        with: SliceId,
        /// The start of that operation.
        start: OpId,
    },
    /// An arena is freed, or its function left, while an asynchronous operation may still use a slice of it.
    Left {
        /// The operation that frees or leaves the arena.
        op: OpId,
        /// The slice.
        slice: SliceId,
        /// The start of the asynchronous operation.
        start: OpId,
    },
    /// A slice escapes.
    Escapes {
        /// The operation.
        op: OpId,
        /// The slice.
        slice: SliceId,
        /// The kind of escape.
        kind: Escape,
    },
    /// A slice is deallocated.
    Deallocated {
        /// The deallocation.
        op: OpId,
        /// The slice.
        slice: SliceId,
    },
    /// A slice is donated to a callee that another operand of the call refers to, too, or one with common bytes.
    PassedTwice {
        /// The call.
        op: OpId,
        /// The slice that is donated.
        slice: SliceId,
        /// The other slice.
        with: SliceId,
    },
    /// Two slices that share bytes are promised to be distinct.
    NotDistinct {
        /// The operation that promises it.
        op: OpId,
        /// One slice.
        slice: SliceId,
        /// The other slice.
        with: SliceId,
    },
    /// The plan itself is invalid at an operation.
    Malformed {
        /// The operation.
        op: OpId,
        /// The diagnostic.
        code: &'static Code,
        /// The message.
        reason: String,
    },
}

impl Fault {
    /// The operation at which the error is reported.
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
            | Self::PassedTwice { op, .. }
            | Self::Malformed { op, .. } => *op,
            Self::BornAgain { birth, .. } => *birth,
        }
    }

    fn code(&self, program: &Program) -> &'static Code {
        match self {
            Self::Overwritten { slice, by, .. } if matches!(by.by, Writer::Slice(other) if shares_bank(program, *slice, other)) => {
                codes::BANK
            }
            Self::Pending { slice, with, .. } if shares_bank(program, *slice, *with) => codes::BANK,
            Self::Overwritten { by, .. } if matches!(by.by, Writer::Callee) => codes::DONATED,
            Self::PassedTwice { .. } => codes::DONATED,
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

    /// The operation of the note, and its text.
    const fn note(&self) -> Option<(OpId, &'static str)> {
        match self {
            Self::Overwritten { by, .. } if matches!(by.by, Writer::Callee) => {
                Some((by.op, "donated here"))
            }
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

    /// The message.
    fn message(&self, program: &Program) -> String {
        let buffer = |slice: SliceId| program.slices[slice.index()].buffer;
        match self {
            Self::Overwritten { op, slice, by } => {
                let (is_during, slice) = (*op == by.op, *slice);
                match by.by {
                    Writer::Callee => format!(
                        "buffer {} is read after it was donated to a callee",
                        buffer(slice)
                    ),
                    Writer::Slice(other) if other == slice => format!(
                        "buffer {} is read {} an older instance of it overwrote its bytes",
                        buffer(slice),
                        if is_during { "while" } else { "after" },
                    ),
                    Writer::Slice(other) if shares_bank(program, slice, other) => format!(
                        "buffers {} and {} have to be apart, and share a bank while both are in use",
                        buffer(slice),
                        buffer(other)
                    ),
                    Writer::Slice(other) if is_during => format!(
                        "buffer {} is read while buffer {} overwrites its bytes",
                        buffer(slice),
                        buffer(other)
                    ),
                    Writer::Slice(other) => format!(
                        "buffer {} is read after buffer {} overwrote its bytes",
                        buffer(slice),
                        buffer(other)
                    ),
                }
            }
            Self::PassedTwice { slice, with, .. } if slice == with => format!(
                "buffer {} is donated to a callee that receives it as another argument, too",
                buffer(*slice)
            ),
            Self::PassedTwice { slice, with, .. } => format!(
                "buffer {} is donated to a callee that receives buffer {} in the same bytes, too",
                buffer(*slice),
                buffer(*with)
            ),
            Self::BornAgain { slice, .. } => format!(
                "buffer {} is created again while an older instance of it may still be read",
                buffer(*slice)
            ),
            Self::Moved { slice, .. } => format!(
                "buffer {} is used at its offset before a move",
                buffer(*slice)
            ),
            Self::Freed { slice, .. } => {
                format!(
                    "buffer {} is used after its arena was freed",
                    buffer(*slice)
                )
            }
            Self::Pending { slice, with, .. } if slice == with => format!(
                "buffer {} is created again while an asynchronous operation may use it",
                buffer(*slice)
            ),
            Self::Pending { slice, with, .. } if shares_bank(program, *slice, *with) => format!(
                "buffers {} and {} have to be apart, and share a bank while both are in use",
                buffer(*slice),
                buffer(*with)
            ),
            Self::Pending { slice, with, .. } => format!(
                "buffer {} is used while an asynchronous operation may use buffer {} in the \
                same bytes",
                buffer(*slice),
                buffer(*with)
            ),
            Self::Left { slice, .. } => format!(
                "an asynchronous operation may use buffer {} after its arena is freed or its \
                function returns",
                buffer(*slice)
            ),
            Self::Escapes { slice, kind, .. } => {
                let kind = match kind {
                    Escape::Returned => "is returned",
                    Escape::Stored => "is stored or captured",
                    Escape::Cast => "is cast to a type that is not a memref",
                    Escape::Pointer | Escape::Allocation | Escape::Compared => {
                        "has its pointer extracted"
                    }
                };
                let slice = buffer(*slice);
                format!("buffer {slice} escapes: it {kind}, but its bytes belong to the arena")
            }
            Self::Deallocated { slice, .. } => format!(
                "buffer {} is deallocated, but its bytes belong to the arena",
                buffer(*slice)
            ),
            Self::NotDistinct { slice, with, .. } => format!(
                "buffers {} and {} share bytes of their arena, so they are not distinct objects",
                buffer(*slice),
                buffer(*with)
            ),
            Self::Malformed { reason, .. } => reason.clone(),
        }
    }
}

/// Whether two slices share a bank, but no byte.
fn shares_bank(program: &Program, one: SliceId, other: SliceId) -> bool {
    one != other && program.clash(one, other) && !program.share_bytes(one, other)
}

/// Reports faults in the order of the text, each message once at each operation. Returns true if there are any.
pub fn emit(mut faults: Vec<Fault>, program: &Program, ops: &[Op<'_>]) -> bool {
    faults.sort_by_key(Fault::op);
    let mut reported = FxHashSet::default();
    for fault in &faults {
        let message = fault.message(program);
        // One fault causes many wrong reads later: the first one is reported.
        let culprit = match fault {
            Fault::Overwritten { by, slice, .. } => (by.op, Some(*slice)),
            other => (other.op(), None),
        };
        if !reported.insert((culprit, message.clone())) {
            continue;
        }
        let mut diagnostic = Diagnostic::new(
            fault.code(program),
            ops[fault.op().index()].location(),
            message,
        );
        if let Some((op, text)) = fault.note() {
            let text = match fault.code(program) == codes::BANK {
                true => "the other one is used here",
                false => text,
            };
            diagnostic = diagnostic.note(ops[op.index()].location(), text);
        }
        diagnostic.emit();
    }
    !faults.is_empty()
}
