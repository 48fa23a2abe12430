//! What is to be done to a function: frees, tests and flags.

use crate::function::{EdgeId, SegmentId, StepIndex, ValueId};
use smallvec::SmallVec;

/// Whether a value owns its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Never.
    No,
    /// Always.
    Yes,
    /// Decided at run time: the flag goes with the value.
    Dynamic,
}

/// Where something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramPoint {
    /// In front of the first step of a segment.
    Start(SegmentId),
    /// Behind a step that is not the last one.
    After(SegmentId, StepIndex),
    /// In front of the last step of a segment.
    End(SegmentId),
    /// On an edge.
    Edge(EdgeId),
}

/// The memory of a value is given back, if the value owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// Whose.
    pub value: ValueId,
    /// Where.
    pub place: ProgramPoint,
}

/// The memory of a value goes to the first of some others that is the same memory, and is given back if
/// none is; if the value owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Whose.
    pub value: ValueId,
    /// Where.
    pub place: ProgramPoint,
    /// The others.
    pub retained: Vec<ValueId>,
}

/// When the memory of a value is the function's to give back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owned {
    /// If the value owns it: its flag.
    Flag,
    /// If any of these found so: which gather, and which of its retained values.
    Found(SmallVec<[(usize, usize); 2]>),
}

/// The memory of values is given back together, at the end of a block: what is owned by any of them and is
/// none of the retained values' memory, each once. It finds of each retained value whether its memory is
/// owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gather {
    /// Where.
    pub place: ProgramPoint,
    /// Only if control leaves by this edge; else nothing is given back, and nothing found.
    pub taken: Option<EdgeId>,
    /// Whose, and when.
    pub memrefs: Vec<(ValueId, Owned)>,
    /// What is kept.
    pub retained: Vec<ValueId>,
}

/// One way that a parameter comes to own what it is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// If this value does, which is the same.
    Moved(ValueId),
    /// If a test finds it to be what it retains at this place.
    Tested {
        /// Which test.
        test: usize,
        /// Which of its retained values.
        slot: usize,
    },
    /// If a gather finds that what it retains at this place is owned.
    Gathered {
        /// Which gather.
        gather: usize,
        /// Which of its retained values.
        slot: usize,
    },
}

/// What an edge does for one of its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// The parameter owns its memory if any of these holds.
    pub sources: Vec<Source>,
    /// It does for certain, whichever of them holds.
    pub certain: bool,
    /// It is the memory of this earlier parameter of the same edge out of the function, which owns it.
    pub shared_with: Option<usize>,
}

/// What is to be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// For each value, whether it ever owns memory.
    pub flags: Vec<Flag>,
    /// Frees, in the order of the segments.
    pub frees: Vec<Free>,
    /// Tests, in the order of the segments.
    pub tests: Vec<Test>,
    /// What is given back at the ends of blocks, each behind those that it asks.
    pub gathers: Vec<Gather>,
    /// For each edge and parameter, where ownership comes from.
    pub passes: Vec<Vec<Pass>>,
    /// For each segment, whether it is ever reached; nothing is done in one that is not.
    pub reached: Vec<bool>,
}

impl Plan {
    /// Whether a value ever owns memory.
    pub fn flag(&self, value: ValueId) -> Flag {
        self.flags[value.index()]
    }

    /// Whether a parameter owns what an edge passes.
    pub fn passed(&self, edge: EdgeId, at: usize) -> Flag {
        let pass = &self.passes[edge.index()][at];
        if pass.certain {
            return Flag::Yes;
        }
        let mut all = Flag::No;
        for source in &pass.sources {
            let flag = match source {
                Source::Moved(value) => self.flag(*value),
                Source::Tested { test, .. } => match self.flag(self.tests[*test].value) {
                    Flag::No => Flag::No,
                    Flag::Yes | Flag::Dynamic => Flag::Dynamic,
                },
                Source::Gathered { .. } => Flag::Dynamic,
            };
            all = match (all, flag) {
                (Flag::Yes, _) | (_, Flag::Yes) => Flag::Yes,
                (Flag::No, Flag::No) => Flag::No,
                _ => Flag::Dynamic,
            };
        }
        all
    }
}
