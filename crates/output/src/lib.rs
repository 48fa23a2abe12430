//! Outputs that are whole or as they were.
//!
//! A file is written beside its place, and renamed once it is complete: who reads it, or a disk that is full, never meets a
//! half of it. [`Staged`] holds several back until all are complete. [`targets`] finds outputs that would overwrite each other.

#![forbid(unsafe_code)]

mod staged;
pub mod targets;

pub use staged::{Staged, WriteError, check, is_device, write};
