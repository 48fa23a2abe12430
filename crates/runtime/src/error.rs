//! What can go wrong, with a number for C.

use std::fmt;

use crate::count::Refused;

/// Why a call did nothing. All is as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The region has been freed: its last reference was released.
    Freed,
    /// The number is not, and never was, the handle of a region.
    NotARegion,
    /// The parent would keep itself alive.
    Cycle,
    /// A size in bytes that is negative.
    NegativeSize(i64),
    /// An alignment in bytes that is no power of two.
    Alignment(i64),
    /// A size in bytes that no memory has.
    TooLarge(i64),
    /// `MEMPLAN_REGION_LIMIT`, in bytes, would be exceeded.
    OverLimit {
        /// What the process holds.
        held: u64,
        /// What is wanted on top.
        wanted: u64,
        /// The limit.
        limit: u64,
    },
    /// The system has no memory of so many bytes.
    OutOfMemory(u64),
    /// A mark that lies ahead: what was behind it has been given back by an earlier one.
    MarkAhead,
    /// A mark of another region, or of before a clear.
    NotAMark,
    /// Another thread fills the region at this moment. Told with `MEMPLAN_REGION_DEBUG=1` only.
    Busy,
    /// As many regions are alive as there can be, 2^24.
    TooManyRegions,
    /// As many references as there can be, 2^32 - 1.
    TooManyReferences,
    /// A null pointer where the result goes.
    NoPlace,
}

impl Error {
    /// The number in `enum memplan_region_status`.
    pub fn code(self) -> i32 {
        match self {
            Self::Freed => 1,
            Self::NotARegion => 2,
            Self::Cycle => 3,
            Self::NegativeSize(_) => 4,
            Self::Alignment(_) => 5,
            Self::TooLarge(_) => 6,
            Self::OverLimit { .. } => 7,
            Self::OutOfMemory(_) => 8,
            Self::MarkAhead => 9,
            Self::NotAMark => 10,
            Self::Busy => 11,
            Self::TooManyRegions => 12,
            Self::TooManyReferences => 13,
            Self::NoPlace => 14,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Freed => f.write_str("the region has been freed already"),
            Self::NotARegion => f.write_str("this is not the handle of a region"),
            Self::Cycle => f.write_str("the parent would keep itself alive: a cycle of parents"),
            Self::NegativeSize(size) => write!(f, "the size is negative: {size}"),
            Self::Alignment(alignment) => {
                write!(f, "the alignment is no power of two: {alignment}")
            }
            Self::TooLarge(size) => write!(f, "no memory has so many bytes: {size}"),
            Self::OverLimit {
                held,
                wanted,
                limit,
            } => write!(
                f,
                "over the limit: {held} bytes are held, {wanted} more are wanted, MEMPLAN_REGION_LIMIT is {limit}"
            ),
            Self::OutOfMemory(size) => write!(f, "the system has no {size} bytes left"),
            Self::MarkAhead => {
                f.write_str("the mark lies ahead: what was behind it is gone already")
            }
            Self::NotAMark => f.write_str("the mark is not of this region, or of before a clear"),
            Self::Busy => f.write_str("two threads fill the region at once"),
            Self::TooManyRegions => f.write_str("too many regions are alive"),
            Self::TooManyReferences => f.write_str("the region has too many references"),
            Self::NoPlace => f.write_str("a null pointer where the result goes"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Over => Self::Freed,
            Refused::Never => Self::NotARegion,
            Refused::TooMany => Self::TooManyReferences,
        }
    }
}
