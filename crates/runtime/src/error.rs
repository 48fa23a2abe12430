//! Errors of the runtime, and their numbers in C.

use std::fmt;

use crate::refcount::RefCountError;

/// The reason why a call failed. A call that fails changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The region has been freed: its last reference was released.
    Freed,
    /// The number is not the handle of a region, and never was.
    NotARegion,
    /// The parent would keep itself alive.
    Cycle,
    /// The size, in bytes, is negative.
    NegativeSize(i64),
    /// The alignment, in bytes, is no power of two.
    Alignment(i64),
    /// The size, in bytes, is larger than any memory.
    TooLarge(i64),
    /// `MEMPLAN_REGION_LIMIT`, in bytes, would be exceeded.
    OverLimit {
        /// Bytes that the process holds.
        held: u64,
        /// Bytes that were requested.
        wanted: u64,
        /// The limit.
        limit: u64,
    },
    /// The system has no memory of this size, in bytes.
    OutOfMemory(u64),
    /// The mark lies after the current position: its memory has been freed by a release to an earlier mark.
    MarkAhead,
    /// The mark is of another region, or was made before a clear.
    NotAMark,
    /// Another thread is filling the region. Only checked with `MEMPLAN_REGION_DEBUG=1`.
    Busy,
    /// 2^24 regions are alive, the most that there can be.
    TooManyRegions,
    /// The region has 2^32 - 1 references, the most that there can be.
    TooManyReferences,
    /// The pointer for the result is null.
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
                write!(f, "the alignment is not a power of two: {alignment}")
            }
            Self::TooLarge(size) => write!(f, "the size exceeds the address space: {size}"),
            Self::OverLimit {
                held,
                wanted,
                limit,
            } => write!(
                f,
                "MEMPLAN_REGION_LIMIT is exceeded: {held} bytes are in use, {wanted} more are \
                requested, the limit is {limit}"
            ),
            Self::OutOfMemory(size) => write!(f, "the system has no {size} bytes left"),
            Self::MarkAhead => f.write_str(
                "the mark is after the end of the region: the memory up to it was \
                already released",
            ),
            Self::NotAMark => f.write_str(
                "the mark is of another region, or older than the \
            last clear",
            ),
            Self::Busy => f.write_str("two threads allocate from the region at once"),
            Self::TooManyRegions => f.write_str("too many live regions"),
            Self::TooManyReferences => f.write_str("the region has too many references"),
            Self::NoPlace => f.write_str("the result pointer is null"),
        }
    }
}

impl std::error::Error for Error {}

impl From<RefCountError> for Error {
    fn from(refused: RefCountError) -> Self {
        match refused {
            RefCountError::Expired => Self::Freed,
            RefCountError::NeverBegun => Self::NotARegion,
            RefCountError::TooMany => Self::TooManyReferences,
        }
    }
}
