//! Regions at run time: reference-counted arenas for programs whose sizes are known only at run time.
//!
//! A *region* is memory that is filled piece by piece and freed at once. A consumer makes a region and passes it to
//! the producer of a value. The producer builds the value in that region, or in a region that it makes a *parent* of
//! it. Parents live as long as their children. A *mark* is a position in a region; releasing to it frees what was
//! allocated after it.
//!
//! | task | module |
//! |---|---|
//! | regions for Rust | [`region`] |
//! | make, retain and release regions | `references` |
//! | clear and empty regions | `clear` |
//! | allocate from the newest block, a new block or as a chunk | `allocate`, `request` |
//! | marks, releasing blocks and chunks | `marks`, `mark_bits`, `release` |
//! | the fast paths of all of these | `fast_path` |
//! | parents | `parents`, `parent_list` |
//! | reference counts, handles and headers | `refcount`, `header`, `header_table` |
//! | blocks of 64 sizes, chunks, the blocks that a thread caches | `block`, `chunk`, `pool` |
//! | system memory and its limit | `system_memory` |
//! | counters, and the table that prints them | [`statistics`], `report` |
//! | `MEMPLAN_REGION_STATS`, `MEMPLAN_REGION_DEBUG`, `MEMPLAN_REGION_LIMIT` | `settings` |
//! | the C API and MLIR's calling convention | [`c_api`], [`mlir`] |
//! | random operations against a model | [`mod@check`] |
//!
//! A handle is a number: the index of a header and a life of that header. Headers are never unmapped and no two lives
//! of a header have the same number. So every call detects a handle whose region has been freed, however late it
//! comes.
//!
//! Handles may be used by all threads. A region is *filled* (allocated from, cleared, marked, given parents) by one
//! thread at a time.

#[cfg(not(loom))]
mod allocate;
#[cfg(not(loom))]
mod block;
#[cfg(not(loom))]
pub mod c_api;
#[cfg(not(loom))]
pub mod check;
#[cfg(not(loom))]
mod chunk;
#[cfg(not(loom))]
mod clear;
#[cfg(not(loom))]
mod error;
#[cfg(not(loom))]
mod fast_path;
#[cfg(not(loom))]
mod header;
#[cfg(not(loom))]
mod header_table;
#[cfg(not(loom))]
mod mark_bits;
#[cfg(not(loom))]
mod marks;
#[cfg(not(loom))]
pub mod mlir;
#[cfg(not(loom))]
mod parent_list;
#[cfg(not(loom))]
mod parents;
#[cfg(not(loom))]
mod poison;
#[cfg(not(loom))]
mod pool;
pub mod refcount;
#[cfg(not(loom))]
mod references;
#[cfg(not(loom))]
pub mod region;
#[cfg(not(loom))]
mod release;
#[cfg(not(loom))]
mod report;
#[cfg(not(loom))]
mod request;
#[cfg(not(loom))]
mod settings;
#[cfg(not(loom))]
pub mod statistics;
#[cfg(not(loom))]
mod system_memory;

#[cfg(not(loom))]
pub use error::Error;
#[cfg(not(loom))]
pub use region::Region;
#[cfg(not(loom))]
pub use request::LARGE;
