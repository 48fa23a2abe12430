//! What an operation does to memory, in one place for all passes.
//!
//! [`Semantics::of`] answers for any operation with one [`OpMemory`]: what it reads, writes, frees and
//! captures; what its results are; what it starts and what it waits for; or why it cannot be followed.
//! An answer comes from three sources, later ones win:
//!
//! 1. MLIR's interfaces: memory effects, views, calls, traits.
//! 2. One table a dialect, with what interfaces do not say or say wrongly ([`dialects`]).
//! 3. What an embedder has registered for operations of its own ([`registration`]).
//!
//! What none of them says is [`Opaque`]: the worst case in all fields, with the reason.
//!
//! * [`types`]: which types can hold an address, and which are tokens.
//! * [`op_memory`]: the answer.
//! * [`statement`]: the words in which tables speak.
//! * [`allocators`]: who frees what an operation allocates.
//! * [`names`]: what an operation's name alone decides, cached by the identity of the name; [`functions`]: which functions
//!   a run covers.
//! * [`graph`]: where control goes in a body, and what is forwarded.
//! * [`registration`]: what embedders say of operations; [`declared`] asks for one thing of it, or of interfaces.
//! * [`attributes`]: memplan's own attributes, and what functions say by them.
//! * [`form`], [`control`]: loops, branches and jumps, as far as they can be written in another form.
//! * [`loops`]: bounds, trip counts, carried values; [`constants`]: numbers that follow from constants.
//! * [`arithmetic`]: what computes a number, operation by operation.
//! * [`speculation`]: which operations may run where they would not have run.
//! * [`op_elements`]: what is done to the elements of memrefs.
//! * [`mod@slice`]: which elements views have.
//! * [`strides`]: which operations take memrefs of other strides.
//! * [`Reading`]: answers about a function that are kept from pass to pass; [`Readings`]: those of the functions of a pass.
//! * [`samples`]: programs that hold the operations of stock `mlir-opt`.
//!
//! An answer is about one operation, whatever stands around it: what its regions' operations do is theirs,
//! and what a callee does is for a summary to say.

pub mod allocators;
mod answers;
pub mod arithmetic;
pub mod attributes;
pub mod c_allocation;
mod computes;
pub mod constants;
pub mod control;
pub mod declared;
mod describe;
pub mod dialects;
mod display;
mod elements;
pub mod form;
pub mod functions;
pub mod graph;
mod interfaces;
pub mod loops;
mod name_facts;
pub mod names;
pub mod op_elements;
pub mod op_memory;
mod reading;
mod readings;
pub mod registration;
mod runtime_library;
pub mod samples;
mod semantics;
pub mod slice;
pub mod speculation;
pub mod statement;
pub mod strides;
mod subject;
mod tokens;
pub mod types;

pub use allocators::{Allocator, AllocatorError, register_allocator};
pub use arithmetic::Computes;
pub use form::Form;
pub use loops::Loop;
pub use name_facts::NameSays;
pub use op_elements::{Copy, Elements, Pair, StoredElement};
pub use op_memory::{
    Capture, DataStart, Frees, Join, OpMemory, Opaque, OperandUse, Promise, RegionOrder,
    ResultFact, ResultUse, Start, TokenRef, Touch, Unnamed, Uses,
};
pub use reading::Reading;
pub use readings::{Readings, TimesRead};
pub use registration::{
    description::Description,
    registry::{RegisterError, register, register_override},
};
pub use semantics::{Basis, Semantics};
pub use slice::{ByteView, Number, Slice};
pub use strides::Retyped;
pub use tokens::register_token_type;
pub use types::{TypeClass, TypeClasses};
