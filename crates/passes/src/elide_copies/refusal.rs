//! Why something is left as it is.

use memplan_mlir::reasons;

reasons! {
    /// Why a move is not made, or a copy does not become a view.
    Refusal;
    /// Not the last one to read it.
    Needed = "needed": "the buffer is needed behind it, or holds something else before",
    /// Not followed, not planned, or with a place already.
    Pinned = "pinned": "one of the buffers cannot be followed, or may not be moved",
    /// Allocated somewhere else.
    Elsewhere = "elsewhere": "the buffer is allocated in another block or body than it is written to the other one",
    /// In different memory spaces.
    MemorySpace = "memory-space": "the buffers are in different memory spaces",
    /// Reads more than the buffer.
    Reads = "reads": "the operation reads the part, or the buffer in another order as well",
    /// The part is written to one place several times.
    Overlaps = "overlaps": "elements of the part may lie at one place",
    /// Written while the view would be read.
    Written = "written": "the copy, or what it is made from, may be written while it is read",
    /// Something touches the part before.
    Touched = "touched": "something else reads or writes the part before that is complete",
    /// What it needs is made later.
    Late = "late": "the other buffer, or where the part is, is known too late",
    /// A user does not take strides.
    Strides = "strides": "something that uses the buffer does not take the strides of the part",
    /// The load would not fall.
    NoGain = "no-gain": "the most bytes live at once would not become fewer",
}
