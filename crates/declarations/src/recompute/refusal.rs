//! Reasons for holding a buffer until its late uses.

use memplan_interface::reasons;

reasons! {
    /// Reason why the contents of a buffer are not computed again.
    Refusal;
    /// Not followed.
    Aliases = "aliases": "another value may refer to the buffer, or an asynchronous operation uses it",
    /// Its allocation has an attribute of memplan's.
    Marked = "marked": "its allocation has an attribute of memplan",
    /// Several live ranges, or several instances.
    Rewritten = "rewritten": "it has several contents one after the other, or instances that are live at once",
    /// The uses are not in one block.
    Paths = "paths": "its uses are on several paths, or in the body of a parallel loop",
    /// In a loop over strips.
    Strips = "strips": "it is computed in a loop over strips",
    /// Freed otherwise than by one deallocation at the end, or not at all.
    Freed = "freed": "the function frees memory, but not this buffer once, after all uses in their block",
    /// No write of the whole buffer.
    Partial = "partial": "it is allocated outside of the block that computes it, and no operation there overwrites all of it",
    /// A producer with other effects.
    Producer = "producer": "an operation that writes it has other effects or results, may not end, runs in parallel, or \
    allows other bits",
    /// An operand was overwritten.
    Changed = "changed": "what it is computed from is overwritten or freed before the late use",
    /// An operand lives in another arena.
    Elsewhere = "elsewhere": "what it is computed from is in another arena, and not live at the late use",
    /// Too many operations.
    Long = "long": "too many operations compute it",
    /// Above the limit of iterations.
    Expensive = "expensive": "computing it again takes more iterations than max-recompute allows",
    /// The peak would not fall.
    NoGain = "no-gain": "computing it again would not lower the number of bytes live at once",
}
