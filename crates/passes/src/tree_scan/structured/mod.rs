//! `virtual=true`: a program with its loops and branches as they are.
//!
//! The same memory as for a tree, for a program that is not written out: read -> decide -> write. What is
//! applied is one place for each allocation, on all paths and in all turns.

mod decide;
pub mod describe;
mod read;
mod write;

pub use decide::{Decision, code, decide, each_path};
pub use read::{Reading, read};
pub use write::write;
