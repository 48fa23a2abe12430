//! What is known of the functions that the threads of a kernel call.

use memplan_interface::SkipReason;
use memplan_mlir::ir::{Identity, Key, Op};
use rustc_hash::FxHashMap;

/// When a callee accesses memory: before its first barrier, at any time, or after its last barrier.
pub(super) const TIMES: usize = 3;

/// What a callee does to one of its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Argument {
    /// Whether it is read, and whether it is written.
    pub accesses: [(bool, bool); TIMES],
    /// The alignment in bytes that the callee promises.
    pub alignment: u64,
    /// Why its uses cannot be followed.
    pub obstacle: Option<SkipReason>,
}

/// What a function does when threads call it.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    /// By argument; those that are no memrefs have no uses.
    pub arguments: Vec<Argument>,
    /// Each path through it has a barrier.
    pub synchronizes: bool,
    /// It has a barrier that not each path has.
    pub has_other_barriers: bool,
}

/// The functions that kernels call.
#[derive(Debug, Default)]
pub struct Callees {
    /// By function. `None`: nothing is known.
    pub(super) of: FxHashMap<Key, Option<Callee>>,
    /// The function of each call. Symbols are not looked up later, when other threads may change functions.
    pub(super) functions: FxHashMap<Key, Key>,
}

impl Callees {
    /// The callee of a call, if it is known.
    pub(super) fn get(&self, call: Op<'_>) -> Option<&Callee> {
        self.of.get(self.functions.get(&call.key())?)?.as_ref()
    }
}
