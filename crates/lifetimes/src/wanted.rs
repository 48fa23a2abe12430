//! What the user wants to be left alone.

use crate::{program::Program, read::Handles, reason::Reason};
use memplan_mlir::melior::ir::operation::OperationLike;

/// On an allocation: leave it alone.
pub const KEEP: &str = "memplan.keep";

/// Which sizes are planned, in bytes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The least.
    pub min_size: u64,
    /// The largest.
    pub max_size: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            min_size: 0,
            max_size: u64::MAX,
        }
    }
}

impl Wanted {
    /// Gives every buffer that is not wanted the reason for it.
    pub(crate) fn apply(&self, program: &mut Program, handles: &Handles<'_>) {
        for (fact, op) in program.buffers.iter_mut().zip(&handles.buffers) {
            if fact.skip.is_none() {
                fact.skip = if op.has_attribute(KEEP) {
                    Some(Reason::Kept)
                } else if fact.size < self.min_size {
                    Some(Reason::BelowMinSize)
                } else if fact.size > self.max_size {
                    Some(Reason::AboveMaxSize)
                } else {
                    None
                };
            }
        }
    }
}
