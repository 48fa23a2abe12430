//! The public interface of memplan as data, without LLVM: what passes declare of themselves, and names that several crates
//! share. `memplan-declarations` has the declarations.
//!
//! * [`Declaration`], [`OptionDeclaration`], [`Pipeline`](pipeline::Pipeline): the types of declarations.
//! * [`mod@codes`]: kinds of diagnostics, and those that every pass may emit.
//! * [`SkipReason`]: why an allocation is left alone.
//! * [`attributes`]: the names of memplan's attributes.

#![forbid(unsafe_code)]

pub mod attributes;
pub mod codes;
mod declaration;
mod options;
pub mod pipeline;
mod skip_advice;
mod skip_reason;

pub use declaration::{Declaration, Example, StatisticDeclaration};
pub use options::{OptionDeclaration, OptionKind, STATISTICS, is_set};
pub use skip_reason::SkipReason;
