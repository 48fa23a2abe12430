//! From IR to facts: which buffers a function allocates, what may alias them, which must be left
//! alone and why, and when each is live.
//!
//! The way of the data:
//!
//! 1. [`read`] walks a function once and asks each operation's interfaces once. What it keeps is
//!    plain data with ids: the tree of blocks ([`program`]), the memref values and where they come
//!    from, and what each operation does to them. What calls do, [`Callees`] say: on a module,
//!    the [`Summaries`] of the functions called.
//!    What [`asynchronous`] operations may still use when control has passed them is found there, too.
//! 2. [`alias`] resolves which allocations each value may refer to, and which of them escape.
//! 3. [`instances`] says when the memory of each value is needed, by dataflow over blocks and
//!    regions ([`live`]); from that, when each buffer is live, and which allocations run again
//!    while an older instance is still needed.
//!
//! 4. [`in_place`] finds the operations at which one buffer may take over the bytes of another.
//!
//! [`analyse`] does all of it. Nothing here writes IR.

mod advice;
pub mod alias;
pub mod analysis;
pub mod analysis_options;
pub mod asynchronous;
pub mod in_place;
pub mod instances;
pub mod live;
pub mod program;
pub mod ranges;
pub mod read;
pub mod reason;

pub use analysis::{Analysis, Plannable, analyse, analyse_wanted};
pub use analysis_options::AnalysisOptions;
pub use in_place::Takeover;
pub use memplan_summaries::{Callees, NoCallees, Summaries};
pub use reason::Reason;
