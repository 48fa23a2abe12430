//! Plans of workgroup memory: kernels as people write them, and random ones that the interpreter executes.

mod generate;
mod inserted;
mod kernels;
mod random;
mod validity;

/// The offsets of a plan, and those of buffers that are given in order.
type Offsets = memplan_flow::PrimaryMap<memplan_workgroup::BufferId, u64>;
