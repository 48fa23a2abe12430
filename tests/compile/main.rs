//! `memplan compile` and `memplan link`, executed.

mod bench;
mod call;
mod failures;
mod forms;
mod header;
mod operations;
mod programs;
mod same;
mod symbols;
