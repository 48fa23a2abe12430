//! The limits of requests: which are served from blocks, and how many bytes are cut from a block.

use crate::block::ALIGNMENT;

/// The most bytes that are cut from a block, with the worst alignment gap. A larger request gets a chunk of its own.
pub const LARGE: usize = 8 << 10;

/// Sizes that are cut from a block are rounded up to a multiple of this, so that the next address is aligned as
/// `malloc`'s is.
pub(crate) const STEP: usize = 16;

// The C header has both numbers.
const _: () = assert!(LARGE == 8192 && STEP == 16);

/// Rounds a size up to a multiple of [`STEP`].
#[inline(always)]
pub(crate) fn round_up_to_step(size: usize) -> usize {
    (size + (STEP - 1)) & !(STEP - 1)
}

/// Does a request get a chunk of its own if the newest block has too few bytes?
pub(crate) fn is_large(size: usize, alignment: usize) -> bool {
    size > LARGE || alignment > LARGE || size + alignment.saturating_sub(ALIGNMENT) > LARGE
}
