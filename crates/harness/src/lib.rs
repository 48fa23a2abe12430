//! Shared code of the end-to-end tests under `tests/`.
//!
//! | module | contents |
//! |---|---|
//! | [`tools`] | the paths of LLVM's tools and of this workspace's products |
//! | [`command`], [`runner`] | commands with a time limit, `mlir-runner` among them |
//! | [`arguments`], [`columns`] | common parts of command lines and tables |
//! | [`lit`] | runs FileCheck tests |
//! | [`samples`] | a program for each operation of stock `mlir-opt` that touches memrefs |
//! | [`transfers`] | copies that run beside other operations, for a CPU |
//! | [`workers`] | work on several threads |
//! | [`networks`] | the networks in `tests/models`, their variants, and checks of many networks |

#![forbid(unsafe_code)]

pub mod arguments;
pub mod columns;
pub mod command;
pub mod lit;
pub mod networks;
pub mod runner;
pub mod samples;
pub mod tools;
pub mod transfers;
pub mod workers;
