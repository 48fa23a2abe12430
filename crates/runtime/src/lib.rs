//! Regions at run time: reference-counted arenas for programs whose sizes only the run knows.
//!
//! A *region* is memory that is filled piece by piece and given back at once. A consumer makes one and passes it to
//! the producer of a value, which builds the value in it, or in a region that it makes a *parent* of it: parents stay
//! alive as long as their children. A *mark* in a region gives back what was allocated behind it.
//!
//! | what | module |
//! |---|---|
//! | regions for Rust | [`region`] |
//! | make, retain, release | `references` |
//! | clear, empty | `clear` |
//! | allocate: the newest block, a new one, a chunk | `fill`, `request` |
//! | marks, and giving blocks and chunks back | `marks`, `mark_bits`, `give` |
//! | what is done most often, in a few instructions | `usual` |
//! | parents | `parents`, `parent_list` |
//! | how often a region is referenced, and which life of a header a handle means | `count`, `table` |
//! | blocks of 64 sizes, chunks of any, what a thread keeps of them | `block`, `chunk`, `pool` |
//! | memory of the system, and the limit on it | `system` |
//! | what is counted, and the table of it | [`statistics`], `report` |
//! | `MEMPLAN_REGION_STATS`, `MEMPLAN_REGION_DEBUG`, `MEMPLAN_REGION_LIMIT` | `settings` |
//! | the C API and MLIR's way of calling it | [`c`], [`mlir`] |
//! | random operations against a model | [`mod@check`] |
//!
//! A handle is a number: which header it is, and which life of that header. Headers are never unmapped and no life
//! has the number of another, so a handle whose region is gone is told in every call, however late it comes.
//!
//! Handles may be used by all threads. A region is *filled* (allocated from, cleared, marked, given parents) by one
//! thread at a time.

#[cfg(not(loom))]
mod block;
#[cfg(not(loom))]
pub mod c;
#[cfg(not(loom))]
pub mod check;
#[cfg(not(loom))]
mod chunk;
#[cfg(not(loom))]
mod clear;
pub mod count;
#[cfg(not(loom))]
mod error;
#[cfg(not(loom))]
mod fill;
#[cfg(not(loom))]
mod give;
#[cfg(not(loom))]
mod header;
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
#[cfg(not(loom))]
mod references;
#[cfg(not(loom))]
pub mod region;
#[cfg(not(loom))]
mod report;
#[cfg(not(loom))]
mod request;
#[cfg(not(loom))]
mod settings;
#[cfg(not(loom))]
pub mod statistics;
#[cfg(not(loom))]
mod system;
#[cfg(not(loom))]
mod table;
#[cfg(not(loom))]
mod usual;

#[cfg(not(loom))]
pub use error::Error;
#[cfg(not(loom))]
pub use region::Region;
#[cfg(not(loom))]
pub use request::LARGE;
