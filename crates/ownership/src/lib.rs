//! Ownership-based deallocation as decisions on plain data: where memory is freed, and which values own it.
//!
//! The input is a [`function`]: segments, edges, and values that refer to memory. [`order`] computes
//! dominance, [`value_liveness`] live ranges, [`no_alias`] which values never alias, and [`alias_classes`] sets
//! of many such values. [`decide()`] makes a
//! [`plan`] from these: where memory is freed, which parameters own the memory that they receive
//! ([`propagate_ownership`]), and where a test at run time is needed.
//!
//! A run of a function that was changed according to its plan frees each piece of memory that the function
//! has to free once, after its last use. Otherwise ownership of the piece passes to the caller.
//!
//! [`block_end_placement::decide`] makes another plan, as MLIR's `ownership-based-buffer-deallocation` does:
//! memory that a block owns and does not pass on is freed at its end, and possible aliases are compared at
//! run time.
//!
//! Such comparisons are [`dealloc`]s. [`origins`] finds which values may alias, so that [`simplify`] removes
//! all operands that need no comparison; [`compare`] expands the rest into comparisons.
//!
//! Nothing here depends on MLIR.

pub mod alias_classes;
pub mod block_end_placement;
pub mod compare;
pub mod conditions;
pub mod dealloc;
pub mod function;
pub mod last_use_placement;
pub mod no_alias;
pub mod order;
pub mod origins;
mod ownership_analysis;
pub mod plan;
pub mod propagate_ownership;
mod segment_values;
pub mod simplify;
pub mod value_liveness;

pub use function::Function;
pub use last_use_placement::decide;
pub use plan::Plan;

use function::{EdgeId, ValueId};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    /// Memory would have to be freed on edges that take no code. At least one edge, each with an owner.
    #[error("memory would have to be freed where no operation can be inserted")]
    NoPlaceForFrees(Vec<(EdgeId, ValueId)>),
    /// An operation consumes memory that is live after it.
    #[error("memory is used after an operation that consumes it")]
    ConsumedWhileLive {
        /// The edge out of the operation.
        edge: EdgeId,
    },
    /// Placement did not converge.
    #[error("no position was found for some deallocations")]
    TooManyRounds,
}
