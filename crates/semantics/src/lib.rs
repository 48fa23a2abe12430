//! The memory behavior of operations, in one place for all passes.
//!
//! [`Semantics::of`] returns an [`OpMemory`] for any operation. It states which operands the operation reads, writes,
//! frees and captures; what its results are; which asynchronous work it starts, and which it waits for; or why it
//! cannot be analyzed. The facts come from three sources; later ones override earlier ones:
//!
//! 1. MLIR's interfaces: memory effects, views, calls, traits.
//! 2. One table per dialect, with facts that interfaces lack or state wrongly ([`dialects`]).
//! 3. Descriptions that an embedder registered for its own operations ([`registration`]).
//!
//! If no source describes an operation, it is [`Opaque`]: all fields have the worst case, with the reason.
//!
//! * [`types`]: types that can hold an address, and token types.
//! * [`op_memory`]: the result of a query.
//! * [`statement`]: the statements that tables consist of.
//! * [`allocators`]: which operation frees the memory that an operation allocates.
//! * [`names`]: facts that depend on an operation's name alone; [`functions`]: the functions that a run covers.
//! * [`graph`]: the control-flow graph of a body, with the values that its edges forward.
//! * [`registration`]: embedders' descriptions; [`declared`]: single facts from them, or from interfaces.
//! * [`attributes`]: memplan's own attributes.
//! * [`form`], [`control`]: loops, branches and jumps that can be rewritten as another form.
//! * [`loops`]: bounds, trip counts, loop-carried values; [`constants`]: numbers computed from constants.
//! * [`LengthReader`]: sizes that are known only at run time, as expressions.
//! * [`bounds`]: upper bounds of numbers, by what is said of arguments.
//! * [`arithmetic`]: the computation of numbers, operation by operation.
//! * [`speculation`]: operations that may be executed speculatively.
//! * [`op_elements`]: accesses to the elements of memrefs.
//! * [`mod@slice`]: the elements of views.
//! * [`strides`]: operations that accept memrefs of other strides.
//! * [`Reading`]: facts about a function, cached between passes; [`Readings`]: those of the functions of a pass.
//! * [`workgroup`]: GPU code as the threads of a workgroup execute it.
//! * [`samples`]: programs with the operations of stock `mlir-opt`.
//!
//! The facts are about one operation, whatever surrounds it. Nested operations have facts of their own, and a callee
//! has a summary.

mod address_comparisons;
mod alignment;
pub mod allocators;
pub mod arithmetic;
pub mod attributes;
pub mod bounds;
pub mod c_allocation;
pub mod constants;
pub mod control;
pub mod declared;
mod describe;
pub mod dialects;
mod dimension;
mod display;
mod element_loops;
mod elements;
mod expressions;
mod fact_cache;
pub mod form;
pub mod functions;
mod globals;
pub mod graph;
mod index_ranges;
mod interfaces;
mod lengths;
mod linear_loops;
mod loop_nest;
pub mod loops;
mod name_facts;
pub mod names;
pub mod op_elements;
pub mod op_memory;
pub mod operand_list;
mod product;
mod reading;
mod readings;
pub mod registration;
mod same_number;
pub mod samples;
mod semantics;
pub mod slice;
mod sparse_tensor_runtime;
pub mod speculation;
pub mod statement;
mod stored_descriptors;
pub mod strides;
mod subject;
mod tokens;
pub mod types;
mod value_bounds;
pub mod workgroup;

pub use allocators::{Allocator, AllocatorError, register_allocator};
pub use arithmetic::Computes;
pub use dimension::TracedNumber;
pub use element_loops::ElementLoop;
pub use form::Form;
pub use globals::InitialContents;
pub use lengths::{LengthReader, Lengths, Unknown, length_period};
pub use linear_loops::{LinearLoops, LoopPlace, Place};
pub use loop_nest::ViewStep;
pub use loops::Loop;
pub use name_facts::TableFacts;
pub use op_elements::{Broadcast, Copy, Elements, Pair, StoredElement, StoredRow};
pub use op_memory::{
    Capture, DataStart, Frees, Join, OpMemory, Opaque, OperandUse, Promise, RegionOrder,
    ResultFact, ResultUse, Start, TokenRef, Touch, Unnamed, Uses,
};
pub use product::Product;
pub use reading::Reading;
pub use readings::{Readings, Rewritten, TimesRead, record_rewritten};
pub use registration::{
    description::Description,
    registry::{RegisterError, register, register_override},
};
pub use semantics::{Basis, Semantics};
pub use slice::{ByteView, Number, Slice};
pub use stored_descriptors::{StoredBase, StoredDescriptors};
pub use strides::Retyped;
pub use tokens::register_token_type;
pub use types::{TypeClass, TypeClasses};
