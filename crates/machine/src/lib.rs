//! A description of a machine: its memory spaces, as plain data.
//!
//! It comes from a file in TOML ([`Machine::parse`]) or from an attribute of the program, which the caller reads into the same
//! [`Document`] ([`Machine::of`]). Both have the same keys and the same checks:
//!
//! ```toml
//! version = 1
//! # What a unit of cost is; any word.
//! unit = "cycle"
//!
//! [[space]]
//! name = "fast"              # in options and messages
//! memory_space = "1"         # in types of memrefs
//! size = "64KiB"
//! alignment = 64             # of each buffer
//! reserved = ["0-1KiB"]      # addresses that no buffer may use
//! banks = 4                  # equal ones, in one of which each buffer lies
//! read = 1                   # cost of reading a byte
//! write = 1
//! slower = "dram"            # where buffers go that do not fit
//! copies_beside = true       # copies run beside operations
//!
//! [[space]]
//! name = "dram"
//! memory_space = "default"
//! read = 10
//! write = 10
//! ```
//!
//! Each error names the line.

mod banks;
mod cost;
mod document;
mod error;
mod file;
mod keys;
mod space;

pub use cost::Cost;
pub use document::{Document, Entry, Place, Table, Value};
pub use error::MachineError;
pub use space::{Machine, Reserved, Space, SpaceId};
