//! Joins relocatable ELF objects, in order, into one, as `ld -r` does: sections of a name follow each other, symbols are
//! resolved, equal constants and strings are kept once. What comes out is decided by what goes in and its order alone.
//!
//! * [`read`]: an object as plain data; the only part that trusts no byte.
//! * [`join`]: sections and symbols of all objects so far; [`frames`]: `.eh_frame`; [`pool`]: sections whose entries are kept
//!   once; [`symbols`]: global ones.
//! * [`write`]: the file.
//!
//! Objects are ELF64, little-endian, with relocations that carry their addends (x86-64, AArch64, RISC-V). Groups are dissolved:
//! the first of each name stays.

#![forbid(unsafe_code)]

mod error;
mod frames;
mod join;
mod pool;
mod read;
mod symbols;
mod write;

pub use error::JoinError;
pub use join::Joiner;
