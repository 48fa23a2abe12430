//! Compilation of a module of many functions to one object file, on any number of threads and with the same result
//! on each run.
//!
//! The design is Subzero's (Android's `third_party/subzero/docs/ALLOCATION.rst`): one thread reads, workers
//! translate functions with memory of their own, and one thread writes in the order of the input.
//!
//! * [`partition`]: which functions are compiled together; [`split`]: a module for each partition.
//! * [`symbol_origin`]: where the symbols of a partition are defined; [`synthesized_symbols`]: names of symbols
//!   that planning creates; [`pool`]: deduplication of equal constants.
//! * [`work`]: the work on one partition; [`run`]: the threads.
//! * [`product`]: one output of all partitions; [`merge`]: the same for MLIR.
//! * [`memref_copy`]: copies of memrefs without rank; [`not_lowered`]: errors for operations that stay.
//! * [`shard`]: partitions on several machines.

#![forbid(unsafe_code)]

pub mod memref_copy;
pub mod merge;
pub mod messages;
pub mod not_lowered;
pub mod outcome;
pub mod partition;
pub mod pool;
pub mod product;
pub mod run;
pub mod settings;
pub mod shard;
pub mod split;
pub mod symbol_origin;
pub mod synthesized_symbols;
pub mod work;
