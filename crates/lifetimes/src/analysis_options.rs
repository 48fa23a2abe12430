//! Options that restrict which allocations are planned.

use crate::{program::Program, read::Handles, reason::Reason};
use memplan_mlir::ir::has_mark;
use memplan_semantics::attributes::KEEP;

/// Which allocations are planned. The limits apply to static sizes, in bytes, and are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// Smallest size.
    pub min_size: u64,
    /// Largest size.
    pub max_size: u64,
    /// Plan allocations of dynamic size.
    pub dynamic: bool,
    /// Plan `memref.alloca` of static size, too.
    pub allocas: bool,
    /// Plan allocations whose address is taken, if the address is dead after the function returns.
    pub addressed: bool,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            min_size: 0,
            max_size: u64::MAX,
            dynamic: false,
            allocas: false,
            addressed: false,
        }
    }
}

impl AnalysisOptions {
    /// Records the reason to skip each buffer that the options exclude.
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
