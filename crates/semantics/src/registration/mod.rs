//! Operations of other compilers: whoever embeds memplan describes them once, for all passes.
//!
//! A description is known by the name of the operation, in all contexts of the process. It replaces what MLIR's
//! interfaces say of the operation.
//!
//! * [`description`]: what can be said, in the words of [`crate::statement`].
//! * [`registry`]: who describes which operations.
//! * `check`: descriptions that contradict themselves, or the operation.
//! * `apply`: a description as an [`OpMemory`](crate::OpMemory).

pub(crate) mod apply;
mod check;
pub mod description;
pub mod registry;
