//! What every integration test needs: the tools of LLVM and what this workspace builds.
#![allow(dead_code, reason = "not every test needs all of it")]

pub mod arguments;
pub mod checks;
pub mod columns;
pub mod command;
pub mod networks;
pub mod progress;
pub mod runner;
pub mod tools;
