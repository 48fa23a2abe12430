//! What every integration test needs: the tools of LLVM and what this workspace builds.

pub mod tools;
