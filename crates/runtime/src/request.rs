//! Which requests are served from blocks, and what is cut from a block for one.

use crate::block::ALIGNMENT;

/// The most bytes that are cut from a block, the worst gap before them included; more is a chunk of its own.
pub const LARGE: usize = 8 << 10;

/// What is cut from a block goes up to a multiple of this, so that the next is aligned, as from `malloc`.
pub(crate) const STEP: usize = 16;

// The C header has both.
const _: () = assert!(LARGE == 8192 && STEP == 16);

/// A size, up to a multiple of [`STEP`].
#[inline(always)]
pub(crate) fn stepped(size: usize) -> usize {
    (size + (STEP - 1)) & !(STEP - 1)
}

/// Whether a request gets a chunk where the block has no room.
pub(crate) fn is_large(size: usize, alignment: usize) -> bool {
    size > LARGE || alignment > LARGE || size + alignment.saturating_sub(ALIGNMENT) > LARGE
}
