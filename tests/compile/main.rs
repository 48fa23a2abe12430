//! `memplan compile` and `memplan link`, executed.

mod bench;
mod failures;
mod forms;
mod programs;
mod same;
mod symbols;
