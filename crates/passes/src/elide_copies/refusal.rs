//! Why something is left as it is.

use memplan_mlir::reasons;

reasons! {
    /// Why a move is not made, or a copy does not become a view.
    Refusal;
    /// Not the last one to read it.
    Needed = "needed": "the buffer is needed behind it, or what it holds comes at several times or on several ways",
    /// Not followed, not planned, or with a place already.
    Pinned = "pinned": "one of the buffers cannot be followed, or may not be moved",
    /// The plan does not take it.
    Size = "size": "one of the buffers is smaller than min-size or larger than max-size",
    /// Copied by another name.
    View = "view": "what is copied is part of a buffer, or a buffer in another shape",
    /// Allocated somewhere else.
    Elsewhere = "elsewhere": "one of the buffers is allocated in another block or body than one is written to the other",
    /// In different memory spaces.
    MemorySpace = "memory-space": "the buffers are in different memory spaces",
    /// Reads more than the buffer.
    Reads = "reads": "the operation reads the part, or the buffer in another order as well",
    /// The part is written to one place several times.
    Overlaps = "overlaps": "elements of the part may lie at one place",
    /// Written while the view would be read.
    Written = "written": "the copy, or what it is made from, may be written while it is read",
    /// Something touches the part before.
    Touched = "touched": "something else reads or writes the part before that is complete, or frees what is needed behind that",
    /// What it needs is made later.
    Late = "late": "the other buffer, or where the part is, is known too late",
    /// A user does not take strides.
    Strides = "strides": "something that uses the buffer does not take the strides of the part",
    /// A user may take an address for aligned.
    Aligned = "aligned": "operations on vectors may rely on how the buffer is aligned",
    /// What shares bytes is looked at whole for each copy in it.
    Many = "many": "so many buffers share the bytes of one of them already that it would take too long",
    /// The load would not fall.
    NoGain = "no-gain": "the most bytes live at once would not become fewer",
}
