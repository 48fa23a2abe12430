//! Conditional frees as data: `bufferization.dealloc`.
//!
//! A dealloc has memrefs with a condition each, and retained memrefs. Memory is freed if the condition of
//! any memref that is that memory holds, and no retained one is; once, however many are. For each retained
//! one the result says whether the condition of any memref that is the same memory holds.

use crate::function::ValueId;
use smallvec::SmallVec;

/// A condition that only the run knows, by a number of the caller's.
pub type FlagId = u32;

/// When something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Never.
    No,
    /// Always.
    Yes,
    /// If this holds.
    Flag(FlagId),
}

/// A memref that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retained {
    /// Which.
    pub value: ValueId,
    /// Somebody asks whether it owns its memory now.
    pub is_used: bool,
}

/// Frees of some memrefs, if they are none of some others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dealloc {
    /// What is freed, and when.
    pub memrefs: Vec<(ValueId, Condition)>,
    /// What is kept.
    pub retained: Vec<Retained>,
}

/// It holds if any of these does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnyOf {
    /// It holds for certain.
    pub certain: bool,
    /// Conditions.
    pub flags: SmallVec<[FlagId; 1]>,
    /// Results of pieces: which piece, and which of its retained memrefs.
    pub found: SmallVec<[(u32, u32); 1]>,
}

impl AnyOf {
    /// Or this.
    pub fn or(&mut self, condition: Condition) {
        match condition {
            Condition::No => {}
            Condition::Yes => self.certain = true,
            Condition::Flag(flag) if self.flags.contains(&flag) => {}
            Condition::Flag(flag) => self.flags.push(flag),
        }
    }

    /// Whether it holds, if that is the same in each run.
    pub fn constant(&self) -> Option<bool> {
        match self.certain {
            true => Some(true),
            false => (self.flags.is_empty() && self.found.is_empty()).then_some(false),
        }
    }
}
