//! `bufferization.dealloc` as plain data.
//!
//! A dealloc has memrefs, each with a condition, and retained memrefs. It frees a piece of memory once if the
//! condition of any memref with that memory holds, and no retained memref has it. For each retained memref,
//! the result is whether the condition of any memref with the same memory holds.

use crate::function::ValueId;
use smallvec::SmallVec;

/// The number of a condition that is known only at run time; callers assign it.
pub type FlagId = u32;

/// A condition of a dealloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// False.
    No,
    /// True.
    Yes,
    /// The value of a flag.
    Flag(FlagId),
}

/// A retained memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retained {
    /// Its value.
    pub value: ValueId,
    /// Whether the result for it has uses.
    pub is_used: bool,
}

/// A dealloc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealloc {
    /// The memrefs to free, each with its condition.
    pub memrefs: Vec<(ValueId, Condition)>,
    /// The memrefs to keep.
    pub retained: Vec<Retained>,
}

/// A disjunction of conditions and results of deallocs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disjunction {
    /// One of them is constantly true.
    pub is_true: bool,
    /// Flags.
    pub flags: SmallVec<[FlagId; 1]>,
    /// Results of pieces: the piece, and the position of the retained memref in it.
    pub piece_results: SmallVec<[(u32, u32); 1]>,
}

impl Disjunction {
    /// Adds a condition.
    pub fn or(&mut self, condition: Condition) {
        match condition {
            Condition::No => {}
            Condition::Yes => self.is_true = true,
            Condition::Flag(flag) if self.flags.contains(&flag) => {}
            Condition::Flag(flag) => self.flags.push(flag),
        }
    }

    /// The constant that the disjunction is equal to, if any.
    pub fn constant(&self) -> Option<bool> {
        match self.is_true {
            true => Some(true),
            false => (self.flags.is_empty() && self.piece_results.is_empty()).then_some(false),
        }
    }
}
