//! What a run over the paths is for.

use crate::plan::Placement;

/// What is found out by the run.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// How much is live.
    Load,
    /// What may be live when: all paths at once.
    Trace,
    /// How high the stack is.
    Scan(Placement),
    /// And what is moved to end below a limit.
    Defrag(Placement, u64),
}
