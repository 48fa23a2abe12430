//! `memplan-opt`: `mlir-opt` in which memplan's passes are plain flags, without a plugin to load. The process becomes
//! `memplan-llvm`, so that the passes are linked into one executable.

#![forbid(unsafe_code)]

use memplan_driver::{exit_code, with_llvm};
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_code(Err(with_llvm::become_tool(with_llvm::OPT)))
}
