//! Plans: the frees, tests and ownership flags to write into a function.

use crate::function::{EdgeId, SegmentId, StepIndex, ValueId};
use smallvec::SmallVec;

/// Whether a value owns its memory, as MLIR's deallocation defines ownership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The value never owns memory.
    Never,
    /// The value always owns its memory.
    Always,
    /// Decided at run time, by an `i1` flag that accompanies the value.
    Dynamic,
}

/// A point of the program at which code is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramPoint {
    /// Before the first step of a segment.
    Start(SegmentId),
    /// After a step that is not the last one.
    After(SegmentId, StepIndex),
    /// Before the last step of a segment.
    End(SegmentId),
    /// On an edge.
    Edge(EdgeId),
}

/// Frees the memory of a value if the value owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// The owner.
    pub value: ValueId,
    /// The place.
    pub place: ProgramPoint,
}

/// Transfers the memory of a value to the first retained value that is the same memory. Frees it if there is
/// none. Does nothing if the value does not own its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasTest {
    /// The owner.
    pub value: ValueId,
    /// The place.
    pub place: ProgramPoint,
    /// The values that are compared with the owner.
    pub retained: Vec<ValueId>,
}

/// The condition under which the function owns the memory of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnedIf {
    /// The ownership flag of the value.
    Flag,
    /// Any of these dealloc results: the dealloc, and the slot of its retained value.
    BlockEnd(SmallVec<[(usize, usize); 2]>),
}

/// A `bufferization.dealloc` at the end of a block. It frees memory that is owned by one of the memrefs and
/// is not that of a retained value, each piece once. For each retained value its result is whether the memory
/// is owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEndDealloc {
    /// The place.
    pub place: ProgramPoint,
    /// It acts only if control leaves by this edge. Otherwise it frees nothing, and its results are false.
    pub only_on: Option<EdgeId>,
    /// The values whose memory it frees, each with its condition.
    pub memrefs: Vec<(ValueId, OwnedIf)>,
    /// The values whose memory it keeps.
    pub retained: Vec<ValueId>,
}

/// A source of a parameter's ownership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnershipSource {
    /// Ownership moves from this value, which is the passed one.
    Moved(ValueId),
    /// The parameter owns its memory if a test finds it to be that of the retained value in this slot.
    Tested {
        /// The test.
        test: usize,
        /// The slot of the retained value.
        slot: usize,
    },
    /// The parameter owns its memory if a block-end dealloc finds that the retained value in this slot is
    /// owned.
    BlockEnd {
        /// The dealloc.
        dealloc: usize,
        /// The slot of the retained value.
        slot: usize,
    },
}

/// The transfer of ownership to a parameter on one edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedOwnership {
    /// The parameter owns its memory if any of these does.
    pub sources: Vec<OwnershipSource>,
    /// One of the sources holds for certain.
    pub is_always_owned: bool,
    /// It is the memory of this earlier parameter of the same return edge, and that one owns it.
    pub shared_with: Option<usize>,
}

/// A plan for a function.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// For each value, its ownership.
    pub ownership: Vec<Ownership>,
    /// Frees, in the order of the segments.
    pub frees: Vec<Free>,
    /// Tests, in the order of the segments.
    pub tests: Vec<AliasTest>,
    /// Deallocs at the ends of blocks. Each comes after those whose results it uses.
    pub block_end_deallocs: Vec<BlockEndDealloc>,
    /// For each edge and parameter, the transfer of ownership.
    pub passed_ownership: Vec<Vec<PassedOwnership>>,
    /// For each segment, whether it is reachable. Nothing is placed in an unreachable one.
    pub reached: Vec<bool>,
}

impl Plan {
    /// Whether a value owns its memory.
    pub fn ownership_of(&self, value: ValueId) -> Ownership {
        self.ownership[value.index()]
    }

    /// Whether the parameter of this number owns what an edge passes.
    pub fn ownership_passed_by(&self, edge: EdgeId, at: usize) -> Ownership {
        let pass = &self.passed_ownership[edge.index()][at];
        if pass.is_always_owned {
            return Ownership::Always;
        }
        let mut all = Ownership::Never;
        for source in &pass.sources {
            let flag = match source {
                OwnershipSource::Moved(value) => self.ownership_of(*value),
                OwnershipSource::Tested { test, .. } => {
                    match self.ownership_of(self.tests[*test].value) {
                        Ownership::Never => Ownership::Never,
                        Ownership::Always | Ownership::Dynamic => Ownership::Dynamic,
                    }
                }
                OwnershipSource::BlockEnd { .. } => Ownership::Dynamic,
            };
            all = match (all, flag) {
                (Ownership::Always, _) | (_, Ownership::Always) => Ownership::Always,
                (Ownership::Never, Ownership::Never) => Ownership::Never,
                _ => Ownership::Dynamic,
            };
        }
        all
    }
}
