//! What the end-to-end tests under `tests/` share.
//!
//! | | |
//! |---|---|
//! | [`tools`] | where LLVM's tools are, and what this workspace builds |
//! | [`command`], [`runner`] | commands that must not run for ever, `mlir-runner` among them |
//! | [`arguments`], [`columns`] | what command lines and tables have in common |
//! | [`lit`] | runs FileCheck tests |
//! | [`samples`] | a program for each operation of stock `mlir-opt` that touches memrefs |
//! | [`workers`] | much work on several threads |
//! | [`networks`] | the networks in `tests/models`, what is made of them, and checks of many |

#![forbid(unsafe_code)]

pub mod arguments;
pub mod columns;
pub mod command;
pub mod lit;
pub mod networks;
pub mod runner;
pub mod samples;
pub mod tools;
pub mod workers;
