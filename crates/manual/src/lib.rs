//! The manual: pages of passes, pipelines, diagnostics and names, made from their declarations, and chapters.
//!
//! * [`page`]: a page; [`passes`], [`diagnostics`], [`topics`], [`operations`]: pages from declarations.
//! * [`book`]: all pages, in their order.
//! * [`terminal`]: a page as text of a width.
//! * [`html`]: all pages as files that link to each other.

#![forbid(unsafe_code)]

pub mod book;
pub mod diagnostics;
pub mod highlight;
pub mod html;
mod markup;
pub mod operations;
pub mod page;
mod part;
pub mod passes;
mod pictures;
mod search;
mod section;
pub mod terminal;
pub mod topics;
