//! From IR to facts: which buffers a function allocates, what may alias them, which must be left
//! alone and why, and when each is live.
//!
//! The way of the data:
//!
//! 1. [`read`] walks a function once and asks each operation's interfaces once. What it keeps is
//!    plain data with ids: the tree of blocks ([`program`]), the memref values and where they come
//!    from, and what each operation does to them.
//! 2. [`alias`] resolves which allocations each value may refer to, and which of them escape.
//! 3. [`instances`] finds allocations whose older instances are still needed when they run again.
//! 4. [`live`] computes live ranges by dataflow over blocks and regions.
//!
//! [`analyse`] does all of it. Nothing here writes IR.

pub mod alias;
pub mod analysis;
pub mod instances;
pub mod live;
pub mod program;
pub mod read;
pub mod reason;
pub mod summary;

pub use analysis::{Analysis, Plannable, analyse};
pub use reason::Reason;
pub use summary::{CallPolicy, Callees, NoCallees, Summaries};
