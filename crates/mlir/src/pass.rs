//! Passes that are declared in Rust and run by MLIR's pass manager.
//!
//! A pass has one declaration: argument, summary, description, example, options, statistics. Its `--help`, its manual
//! page and its errors are made from it. One C++ class, constructed from that declaration, implements all passes.
//! Every callback catches panics and turns them into a diagnostic and a failed pass.

mod descriptor;
mod interface;
mod run;
mod siblings;
mod statistics;
mod values;

pub use descriptor::register;
pub(crate) use descriptor::{
    descriptor, internal_error, leak_c_string, option_descriptors, usage_text,
};
pub use interface::{Failed, InitError, Pass};
pub use memplan_interface::Declaration;
pub use run::Run;
pub use siblings::Siblings;
pub use values::OptionValues;
