//! `virtual=true`: plans a program without expanding its loops and branches.
//!
//! The planned memory is the same as that of a tree: `read` -> `decide` -> `write`. A layout is applied only
//! if it has one offset for each allocation, on all paths and in all iterations.

mod decide;
pub mod describe;
mod read;
mod write;

pub use decide::{Decision, code, decide, each_path};
pub use read::{Reading, read};
pub use write::write;
