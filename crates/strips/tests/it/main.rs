//! Tests of whole chains.

mod generate;
mod obstacles;
mod rows;
mod sums;
mod times;
