//! What the passes for bounded programs share: numbers that can be worked out, loops whose turns can be
//! counted, and how large a program becomes.

pub mod branches;
pub mod constants;
pub mod loops;
pub mod size;
pub mod sized;

pub use memplan_semantics::attributes::MOVE;
