//! The question that an interpretation of the paths answers.

use crate::plan::Placement;

/// The question that an interpretation answers.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// The maximum of live bytes.
    Load,
    /// The same with sizes rounded up to the strictest alignment.
    RoundedLoad,
    /// The live range of each name, over all paths together.
    Trace,
    /// The size of the stack.
    Scan(Placement),
    /// The size of the stack, and the moves with which it stays below a limit in bytes.
    Defrag(Placement, u64),
}
