//! Interprocedural analysis: the calls of a module ([`call_graph`]), the callees of a call ([`targets`]), and
//! the effects of functions on the memory of their callers ([`summary`]), computed bottom-up with a fixpoint
//! for recursion ([`summaries`], [`fixpoint`]).
//!
//! A body is traced once per step of the fixpoint (`trace`): its addresses, and the numbers that may be
//! addresses, form one graph, and each facet of a summary is a reachability query on it (`facets`). Contracts
//! between functions are options ([`Contract`]).
//!
//! Facts with another lattice are solved elsewhere: ownership flags of results (`memplan-ownership-dealloc`),
//! results that are never the same memory on one path (simplification and lowering of deallocations),
//! regions, and boundedness.

#![forbid(unsafe_code)]

pub mod asynchronous;
pub mod call_graph;
pub mod callee;
pub mod escaping;
mod facets;
pub mod fixpoint;
pub mod overlap;
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
pub use overlap::{Overlap, Overlaps, ReEntry};
pub use spilled::{DescriptorAccess, SpilledDescriptors};
pub use summaries::{Questions, Summaries};
pub use summary::{
    ArgumentFacet, ArgumentNumbers, FreesArgument, FunctionSummary, NewNumbers, ResultFacet,
};
pub use targets::{Symbols, Target, Targets};
pub use trace::{Contract, Question};
