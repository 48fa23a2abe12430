//! Who calls whom in a module ([`call_graph`]), what a call calls ([`targets`]), and what functions do to the memory of their
//! callers ([`summary`]), found together with their callees ([`summaries`], [`fixpoint`]).
//!
//! A body is traced once a step (`trace`): its addresses, and numbers that may be some, are one graph, and each facet is what
//! is reached in it (`facets`). Contracts between functions are options ([`Contract`]).
//!
//! What is no facet, because its lattice is another one, stays where it is solved: who owns a result by which flag
//! (`memplan-ownership-dealloc`), which results are never the same memory on the same path, though both may be it
//! (simplification and lowering of deallocations), regions, which join without order, and boundedness, which has no merges.

#![forbid(unsafe_code)]

pub mod asynchronous;
pub mod call_graph;
pub mod callee;
pub mod escaping;
mod facets;
pub mod fixpoint;
pub mod spilled;
pub mod summaries;
pub mod summary;
pub mod targets;
mod trace;
mod value_graph;
mod values;

pub use asynchronous::{Pending, Until};
pub use call_graph::{Call, CallGraph, FunctionId};
pub use callee::{Callee, Callees, NoCallees};
pub use escaping::Escaping;
pub use facets::summary_of;
pub use fixpoint::{Fixpoint, solve, solve_component};
pub use spilled::{DescriptorAccess, Words};
pub use summaries::{Questions, Summaries};
pub use summary::{
    ArgumentFacet, ArgumentNumbers, FreesArgument, FunctionSummary, NewNumbers, ResultFacet,
};
pub use targets::{Symbols, Target, Targets};
pub use trace::{Contract, Question};
