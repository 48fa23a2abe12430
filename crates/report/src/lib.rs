//! Plans as JSON, text, pictures and traces.
//!
//! A [`Report`] says what a pass planned: for every function its scopes, and for every scope the
//! buffers with their live ranges and offsets. It is made to be rechecked: [`Report::check`]
//! recomputes every number from the buffers alone.
//!
//! * [`Report::to_json`], [`Report::from_json`], [`Report::read_all`]: the file format;
//! * [`text::table`]: what was gained, as an aligned table;
//! * [`peak::table`]: the buffers that are live at the peak of each arena;
//! * [`svg::map`]: the picture: time across, address up, a box for each live range and window;
//! * [`page::page`]: the same for people who look closer: one page to zoom, search and walk through;
//! * [`trace::trace`]: the plan for trace viewers;
//! * [`Shape::at`]: the report where the dimensions of dynamic sizes have given values;
//! * [`load`]: the load curve and its peak;
//! * [`columns`]: rows of text, aligned; [`tables`], [`spaces`]: the columns of each table;
//! * [`schema`]: the JSON Schema of the file format, and its fields;
//! * [`units`]: bytes as people write them.

#![forbid(unsafe_code)]

mod bounds;
mod chains;
mod check;
pub mod columns;
pub mod compare;
mod costs;
mod error;
pub mod explain;
pub mod expression;
pub mod json;
pub mod load;
mod model;
mod names;
mod orders;
pub mod page;
pub mod peak;
mod peak_ops;
mod regions;
pub mod schema;
mod shape;
pub mod spaces;
pub mod svg;
pub mod tables;
#[cfg(test)]
mod testing;
pub mod text;
mod totals;
pub mod trace;
pub mod units;
mod uses;

pub use chains::{ChainDimension, ChainOperation, ChainReport, LineBufferReport};
pub use costs::{CostPoint, CostProof, CostReport};
pub use error::ReportError;
pub use explain::{ExplainedBytes, ExplainedReport, MeasureReport};
pub use model::{
    BanksReport, BoundedReport, BufferReport, ChunkReport, CurvePoint, DimensionReport,
    ExcludedReport, FunctionReport, InsideReport, LayoutReport, PathReport, Program, Report,
    ScopeReport, SizeReport, Skipped, SlotBufferReport, SlotOrderReport, SlotReport, WindowReport,
};
pub use orders::OrderReport;
pub use peak_ops::{NamedOp, PeakBuffer, PeakReport};
pub use regions::{LoopRegions, MadeRegions, PlacedAllocation, PlacedCall, RegionsReport};
pub use shape::{Shape, ShapeError};
pub use uses::Use;
