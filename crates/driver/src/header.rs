//! The arguments of `memplan header`. `memplan-llvm` runs it.

use std::path::PathBuf;

/// Write a C header that declares the functions that say how large arenas are.
///
/// The input is a module that was planned with arena=arg, before it is lowered. The header is for C and C++, and for
/// the objects that the module is lowered to. Each function @NAME_arena_size has a prototype, with a comment that says what its
/// parameters are.
#[derive(clap::Args)]
pub struct Arguments {
    /// MLIR after memplan, text or bytecode; - is standard input.
    #[arg(value_name = "PLANNED")]
    pub input: PathBuf,
    /// Where the header goes; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Take operations of dialects that nobody knows.
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
}
