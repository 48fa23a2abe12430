//! Chains of operations that run strip by strip, so that what is between them is never whole in memory.
//!
//! Plain data, without MLIR. A [`Program`](program::Program) has the operations of a block with their loops and accesses. A
//! [`Spread`](chain::Spread) says which operations a dimension reaches, [`Frontiers`](frontiers::Frontiers) how far each is
//! after each strip, a [`Layout`](cost::Layout) what that holds, and [`Amounts`](amounts::Amounts) what that does. The
//! [`Search`](search::Search) chooses chains.
//!
//! The idea is that of line buffers and storage folding in Halide (Ragan-Kelley et al., PLDI 2013), fused layers (Alwani et
//! al., MICRO 2016) and MCUNetV2 (Lin et al., NeurIPS 2021). What is different: no row is computed twice.

#![forbid(unsafe_code)]

pub mod amounts;
pub mod chain;
pub mod cost;
pub mod frontiers;
pub mod in_place;
pub mod load;
pub mod program;
pub mod refusal;
pub mod search;
pub mod time;
pub mod views;
