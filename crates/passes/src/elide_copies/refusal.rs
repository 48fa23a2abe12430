//! Why something is left as it is.

use memplan_mlir::reasons;

reasons! {
    /// Why a move is not made, or a copy does not become a view.
    Refusal;
    /// Not the last one to read it.
    Needed = "needed": "the buffer is used after it, or its contents are written at several \
    times or on several paths",
    /// Not followed, not planned, or with a place already.
    Pinned = "pinned": "one of the buffers cannot be followed, or must not be moved",
    /// The plan does not take it.
    Size = "size": "one of the buffers is smaller than min-size or larger than max-size",
    /// Copied by another name.
    View = "view": "the source is a part of a buffer, or a buffer in another shape",
    /// Allocated somewhere else.
    Elsewhere = "elsewhere": "one of the buffers is allocated in another block or body than the \
    copy",
    /// In different memory spaces.
    MemorySpace = "memory-space": "the buffers are in different memory spaces",
    /// Reads more than the buffer.
    Reads = "reads": "the operation also reads the part, or reads the buffer in another order",
    /// The part is written to one place several times.
    Overlaps = "overlaps": "elements of the part may overlap",
    /// Written while the view would be read.
    Written = "written": "the copy or its source may be written while the copy is read",
    /// Something touches the part before.
    Touched = "touched": "another operation reads or writes the part before it is complete, or \
    frees memory that is needed afterwards",
    /// What it needs is made later.
    Late = "late": "the other buffer, or the offset of the part, is known too late",
    /// A user does not take strides.
    Strides = "strides": "an operation that uses the buffer does not accept the strides of the \
    part",
    /// A user may take an address for aligned.
    Aligned = "aligned": "vector operations may rely on the alignment of the buffer",
    /// What shares bytes is looked at whole for each copy in it.
    Many = "many": "too many buffers already share the bytes of one of them",
    /// The load would not fall.
    NoGain = "no-gain": "the number of bytes live at once would not decrease",
}
