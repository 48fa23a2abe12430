//! Plans as JSON, text and SVG.
//!
//! A [`Report`] says what a pass planned: for every function its scopes, and for every scope the
//! buffers with their live ranges and offsets. It is made to be rechecked: [`Report::check`]
//! recomputes every number from the buffers alone.
//!
//! * [`Report::to_json`], [`Report::from_json`], [`Report::read_all`]: the file format.

#![forbid(unsafe_code)]

mod error;
mod json;
mod model;

pub use error::ReportError;
pub use model::{BufferReport, FunctionReport, Report, ScopeReport, Skipped};
