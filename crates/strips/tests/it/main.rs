//! Tests of whole chains.

mod bound;
mod generate;
mod images;
mod obstacles;
mod rows;
mod sums;
mod times;
