//! The encoding of marks: a position in a region and, in the bits above it, how often the region had been cleared.

const POSITION_BITS: u32 = 48;
const CLEARS: u32 = (1 << 15) - 1;

/// Encodes the mark of a position in a region that was cleared `clears` times.
#[inline(always)]
pub(crate) fn encode(clears: u32, position: u64) -> i64 {
    (u64::from(clears & CLEARS) << POSITION_BITS | position) as i64
}

/// The position of a mark.
#[inline(always)]
pub(crate) fn position(mark: u64) -> u64 {
    mark & ((1 << POSITION_BITS) - 1)
}

/// Was a mark made after `clears` clears, and no more?
#[inline(always)]
pub(crate) fn is_after(mark: u64, clears: u32) -> bool {
    mark >> POSITION_BITS == u64::from(clears & CLEARS)
}
