//! Reasons for leaving an operation unchanged.

use memplan_interface::reasons;

reasons! {
    /// Reason why a move is not made, or a copy does not become a view.
    Refusal;
    /// A later use exists.
    Needed = "needed": "the buffer is used after it (after a copy: written, or used in another block), \
    or its contents are written at several times or on several paths",
    /// Not followed, not planned, or with a fixed offset.
    Pinned = "pinned": "one of the buffers cannot be followed, or must not be moved",
    /// Excluded from the plan by size.
    Size = "size": "one of the buffers is smaller than min-size or larger than max-size",
    /// The source is a part or another shape.
    View = "view": "the source is a part of a buffer, or a buffer in another shape",
    /// Allocated in another block or body.
    Elsewhere = "elsewhere": "one of the buffers is allocated in another block or body than the \
    copy",
    /// In different memory spaces.
    MemorySpace = "memory-space": "the buffers are in different memory spaces",
    /// The operation reads more than the buffer.
    Reads = "reads": "the operation also reads the part, or reads the buffer in another order",
    /// Memory of the caller that may be the same is used in between.
    Aliases = "aliases": "memory that may be the same is read or written between the first write of the buffer and the \
    copy, or written while the buffer is read after the copy",
    /// Elements of the part may overlap.
    Overlaps = "overlaps": "elements of the part may overlap",
    /// Written while the view would be read.
    Written = "written": "the copy or its source may be written while the copy is read",
    /// The part is touched before.
    Touched = "touched": "another operation reads or writes the part before it is complete, or \
    frees memory that is needed afterwards",
    /// An operand is defined too late.
    Late = "late": "the other buffer, or the offset of the part, is known too late",
    /// A user does not accept strides.
    Strides = "strides": "an operation that uses the buffer does not accept the strides of the \
    part",
    /// A broadcast of or to dynamic sizes.
    Dynamic = "dynamic": "a size of the broadcast is dynamic",
    /// A user may rely on the alignment.
    Aligned = "aligned": "vector operations may rely on the alignment of the buffer",
    /// All buffers with the same bytes are visited for each copy among them.
    Many = "many": "too many buffers already share the bytes of one of them",
    /// The load would not decrease.
    NoGain = "no-gain": "the number of bytes live at once would not decrease",
}
