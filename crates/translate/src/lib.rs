//! From a module of many functions to one object file, by any number of threads and always the same.
//!
//! The way of Subzero (Android's `third_party/subzero/docs/ALLOCATION.rst`): one thread reads, workers translate functions with
//! memory of their own, one thread writes in the order of the input.
//!
//! * [`cut`]: which functions are translated together, by the input alone; [`split`]: modules of their own for these.
//! * [`known`]: what the symbols of a unit are to the rest; [`made`]: names of what planning makes; [`pool`]: equal constants once.
//! * [`work`]: what a worker does to a unit; [`run`]: who does what when.
//! * [`product`]: one result of all; [`merge`]: the same as MLIR.
//! * [`shard`]: units on several machines; [`codes`]: what compiling says of programs.

#![forbid(unsafe_code)]

pub mod codes;
pub mod cut;
pub mod known;
pub mod made;
pub mod merge;
pub mod messages;
pub mod outcome;
pub mod pool;
pub mod product;
pub mod run;
pub mod settings;
pub mod shard;
pub mod split;
pub mod work;
