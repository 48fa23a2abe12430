//! Joins relocatable ELF objects into one, in the order given, without a linker: what `ld -r` does, with equal constants
//! kept once. The object is a function of the list of units: the same bytes each time.
//!
//! Units are 64 bits wide and little-endian, with addends in their relocations: x86-64, AArch64, RISC-V. A unit
//! goes into the object that is being made, `joined`, when it comes, in this order:
//!
//! | | |
//! |---|---|
//! | `read` | reads the object, as a `unit` |
//! | `scan` | which sections go with a group that is there already, and what is referenced |
//! | `place` | where each section goes: into `sections`, into a `pool` of constants, into `frames` |
//! | `bind` | what each symbol is in the joined object, in `symbols` |
//! | `relocate` | relocations, now for sections and symbols of the joined object |
//!
//! `layout` and `write` then make the file.

#![forbid(unsafe_code)]

mod bind;
mod error;
mod frames;
mod joined;
mod joiner;
mod layout;
mod names;
mod place;
mod pool;
mod properties;
mod read;
mod reloc;
mod relocate;
mod scan;
mod sections;
mod symbols;
mod unit;
mod write;

pub use error::JoinError;
pub use joiner::{Joiner, join};
