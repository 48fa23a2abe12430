//! The encoding of marks: a position in a region and, in the bits above it, how often the region had been cleared.
//!
//! Each region counts its clears from another number on, so that a mark of another region shows in these bits, too,
//! except one of 2^15.

const POSITION_BITS: u32 = 48;
const CLEARS: u32 = (1 << 15) - 1;

/// What the clears of a region are counted from: the golden ratio spreads handles that differ by little.
#[inline(always)]
pub(crate) fn first(handle: i64) -> u32 {
    ((handle as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u32
}

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
