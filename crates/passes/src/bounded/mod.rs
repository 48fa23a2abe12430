//! Shared parts of the passes for bounded programs: the size of an expanded program, and allocations of
//! computable size.

pub mod size;
pub mod sized;

pub use memplan_semantics::attributes::MOVE;
