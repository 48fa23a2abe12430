//! Lifetime analysis of one function: the buffers that it allocates, their aliases, when each is
//! live, and why an allocation cannot be planned.
//!
//! Data flows in this order:
//!
//! 1. [`read`] visits each operation once and produces plain data with ids: the tree of blocks
//!    ([`program`]), the memref values with their sources, and the uses of each value. Effects of
//!    calls come from [`Callees`]: on a module, the [`Summaries`] of the called functions.
//!    It also computes how long [`asynchronous`] operations may use memory.
//! 2. [`alias`] resolves which allocations each value may refer to, and which of them escape.
//! 3. [`instances`] computes when the memory of each value is needed, by dataflow over blocks and
//!    regions ([`live`]). From that it derives when each buffer is live, and which allocations
//!    execute again while an older instance is still needed.
//! 4. [`in_place`] finds the operations at which one buffer may reuse the bytes of another.
//!
//! [`analyse`] does all of it. Nothing here writes IR.

pub mod alias;
pub mod analysis;
pub mod analysis_options;
pub mod asynchronous;
pub mod callers_memory;
pub mod in_place;
pub mod instances;
pub mod live;
pub mod program;
pub mod ranges;
pub mod read;

pub use analysis::{Analysis, Plannable, analyse, analyse_with_options};
pub use analysis_options::{AnalysisOptions, BoundsUse};
pub use in_place::Takeover;
pub use memplan_interface::SkipReason as Reason;
pub use memplan_summaries::{Callees, NoCallees, Summaries};
