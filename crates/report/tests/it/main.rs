//! Tests of the crate from outside.

mod check;
mod common;
mod data;
mod json;
mod page;
mod svg;
