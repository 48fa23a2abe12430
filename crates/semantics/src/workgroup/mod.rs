//! GPU code as the threads of a workgroup execute it.
//!
//! * [`Kernel`]: what the threads of a workgroup execute together, and its attributions.
//! * [`uniform`]: which branches all threads take in the same way.
//! * [`Callees`]: what functions do that threads call.
//! * [`code`]: what threads do to some buffers, as a control-flow graph of events.
//! * `collective`: groups of stores by which the threads together overwrite a buffer.

mod callee_reader;
mod callees;
pub mod code;
mod collective;
mod expression;
mod kernel;
pub mod uniform;

pub use callee_reader::read_callees;
pub use callees::Callees;
pub use kernel::{Kernel, KernelKind, is_workgroup_memory};
