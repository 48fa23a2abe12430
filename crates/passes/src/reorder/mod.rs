//! `memplan-reorder`

mod decide;
mod graph;
