//! Tests of whole chains.

mod generate;
mod rows;
mod sums;
