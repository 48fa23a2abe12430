//! Descriptions of operations that memplan does not know. An embedder registers them once for all passes.
//!
//! A description is registered for the name of an operation, and applies in all contexts of the process. It replaces
//! the interfaces of the operation.
//!
//! * [`description`]: the possible statements, in the terms of [`crate::statement`].
//! * [`registry`]: the registered descriptions.
//! * `check`: rejects descriptions that contradict themselves or the operation.
//! * `apply`: translates a description to an [`OpMemory`](crate::OpMemory).

pub(crate) mod apply;
mod check;
pub mod description;
pub mod registry;
