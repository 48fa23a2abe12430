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
//!
//! # Beside LLVM's libraries
//!
//! LLD (`ld.lld -r`) and `llvm-objcopy --localize-symbols` make an object of the same meaning: private names are local, equal
//! constants are there once, and the bytes are the same each time. `ci/bench translate --join` measures both: they take 0.3
//! (10,000 functions) to 0.6 (1,000) of the time of `memplan link`, which also parses the shard, and a third of its memory at
//! 10,000. What they lack:
//!
//! * A group whose name is private has to be dissolved, or a linker takes equal private names of two joined objects for one
//!   group and drops one. LLD dissolves all groups (`--force-group-allocation`), or none.
//! * LLD reads and writes files only, and has state of the process: it cannot join while objects are still compiled.
//! * Debian's packages have LLD as a program and as static archives, of which a copy would go into `memplan-llvm`.

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
