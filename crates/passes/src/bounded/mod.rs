//! What the passes for bounded programs share: how large a program becomes, and allocations of sizes that can be
//! worked out.

pub mod size;
pub mod sized;

pub use memplan_semantics::attributes::MOVE;
