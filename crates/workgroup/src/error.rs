//! Why there is no plan.

use crate::{BlockId, BufferId, Place};
use thiserror::Error;

/// Why a kernel is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum KernelError {
    /// The kernel has no block.
    #[error("the kernel has no block")]
    Empty,
    /// An action names a buffer that does not exist.
    #[error("action {} of block {} accesses buffer {}, which does not exist", place.action, place.block.0, buffer.0)]
    UnknownBuffer {
        /// The action.
        place: Place,
        /// The buffer.
        buffer: BufferId,
    },
    /// An edge leads to a block that does not exist.
    #[error("block {} has an edge to block {}, which does not exist", block.0, successor.0)]
    UnknownBlock {
        /// The source of the edge.
        block: BlockId,
        /// Its target.
        successor: BlockId,
    },
    /// No path leads from a block to the end of the kernel. Where threads meet again after a branch is then unknown.
    #[error("no path leads from block {} to the end of the kernel", block.0)]
    NoExit {
        /// The block.
        block: BlockId,
    },
    /// A barrier that not all threads may reach.
    #[error(
        "the barrier at action {} of block {} is in divergent control, from the branch of block {} on",
        place.action, place.block.0, branch.0
    )]
    DivergentBarrier {
        /// The barrier.
        place: Place,
        /// The block with the divergent branch.
        branch: BlockId,
    },
}

/// Why there is no plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlanError {
    /// The kernel is invalid.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The planner failed: an alignment is 0, or sizes are too large.
    #[error(transparent)]
    Planner(#[from] memplan_planner::PlanError),
    /// The plan is wrong. That is a bug of memplan.
    #[error("buffers {} and {} interfere, and the planner gave them the same bytes", one.0, other.0)]
    Overlap {
        /// One buffer.
        one: BufferId,
        /// The other.
        other: BufferId,
    },
}
