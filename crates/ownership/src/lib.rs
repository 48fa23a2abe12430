//! Who frees what, and where: deallocation as decisions on plain data.
//!
//! The way of the data: a [`function`] (segments, edges, values that refer to memory) comes in;
//! [`order`] says what dominates what, [`live`] where values are used later on, [`distinct`] which are
//! never the same memory; [`decide()`] makes a [`plan`] of it: where memory is given back, which
//! parameters come to own what they are passed ([`flags`]), and where only a test at run time can tell.
//!
//! After a run of a function that was changed as the plan says, each piece of memory that the function
//! had to free has been freed once, after its last use, or belongs to the caller.
//!
//! [`block_end_placement::decide`] makes another plan: what a block owns and does not hand on is given back at its end, and
//! the run compares what may be the same.
//!
//! Where a run has to find out who owns what, [`dealloc`]s ask: [`origins`] say which values may be the
//! same memory, so that [`simplify`] asks for no more than it must, and [`compare`] says how.
//!
//! Nothing here knows MLIR.

pub mod block_end_placement;
pub mod compare;
pub mod conditions;
pub mod dealloc;
pub mod decide;
pub mod distinct;
pub mod flags;
pub mod function;
pub mod live;
pub mod order;
pub mod origins;
mod owned;
pub mod plan;
mod present;
pub mod simplify;

pub use decide::decide;
pub use function::Function;
pub use plan::Plan;

use function::{EdgeId, ValueId};

/// Why no plan was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    /// Memory would have to be given back on edges that have no room for code: at least one, each with an owner.
    #[error("memory would have to be freed where no code can be put")]
    NoPlace(Vec<(EdgeId, ValueId)>),
    /// What an operation takes is needed behind it, too.
    #[error("memory is used behind what takes it")]
    Taken {
        /// The edge from the operation.
        edge: EdgeId,
    },
    /// Uses were added over and over.
    #[error("no place was found for all frees")]
    TooManyRounds,
}
