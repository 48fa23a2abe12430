//! What the user wants to be left alone.

use crate::{program::Program, read::Handles, reason::Reason};
use memplan_mlir::ir::has_mark;
use memplan_semantics::attributes::KEEP;

/// Which allocations are planned. Sizes are in bytes, both ends included, and mean those that are
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The least.
    pub min_size: u64,
    /// The largest.
    pub max_size: u64,
    /// Those whose size only the run knows.
    pub dynamic: bool,
    /// Those whose address is taken, where it is of no use behind the function.
    pub addressed: bool,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            min_size: 0,
            max_size: u64::MAX,
            dynamic: false,
            addressed: false,
        }
    }
}

impl AnalysisOptions {
    /// Gives every buffer that is not wanted the reason for it.
    pub(crate) fn apply(&self, program: &mut Program, handles: &Handles<'_>) {
        for (fact, op) in program.buffers.iter_mut().zip(&handles.buffers) {
            if fact.skip.is_none() {
                fact.skip = if has_mark(*op, KEEP) {
                    Some(Reason::Kept)
                } else if fact.dynamic.is_some() {
                    (!self.dynamic).then_some(Reason::DynamicSize)
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
