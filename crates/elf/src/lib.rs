//! Joins relocatable ELF object files into one, in the order given, without a linker. The result is that of `ld
//! -r`, with equal constants kept once. It is a function of the list of object files: the same bytes each time.
//!
//! Object files are 64-bit and little-endian, with addends in their relocations: x86-64, AArch64, RISC-V. An object
//! file is added to the joined object (`output`) in these steps:
//!
//! | | |
//! |---|---|
//! | `read` | parse the object file (`object_file`) |
//! | `scan` | find the sections in groups that were kept already, and the referenced symbols |
//! | `place` | place each section: into `sections`, into a `pool` of constants, into `frames` |
//! | `bind` | resolve each symbol in the joined object (`symbols`) |
//! | `relocate` | translate relocations to sections and symbols of the joined object |
//!
//! `layout` and `write` then produce the output file.

#![forbid(unsafe_code)]

mod bind;
mod error;
mod frames;
mod joiner;
mod layout;
mod names;
mod object_file;
mod output_object;
mod place;
mod pool;
mod properties;
mod read;
mod reloc;
mod relocate;
mod scan;
mod sections;
mod symbols;
mod write;

pub use error::JoinError;
pub use joiner::{Joiner, join};
