//! Who calls whom in a module ([`call_graph`]), what a call calls ([`targets`]), and the one way in which facts of
//! functions are found out together with those of their callees ([`fixpoint`]).

#![forbid(unsafe_code)]

pub mod call_graph;
pub mod fixpoint;
pub mod targets;

pub use call_graph::{Call, CallGraph, FunctionId};
pub use fixpoint::{Fixpoint, solve, solve_component};
pub use targets::{Target, Targets};
