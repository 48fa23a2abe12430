//! The manual: a page for each pass, pipeline and kind of diagnostic, made from what it says of itself, and chapters.
//!
//! * [`page`]: a page; [`passes`]: from a declaration to one; [`diagnostics`]: the same for what is said of programs;
//!   [`operations`]: what operations are taken to do.
//! * [`book`]: all pages, in their order.
//! * [`terminal`]: a page as text of a width.
//! * [`html`]: all pages as files that link to each other.

#![forbid(unsafe_code)]

pub mod book;
pub mod diagnostics;
pub mod html;
pub mod operations;
pub mod page;
pub mod passes;
mod pictures;
mod section;
pub mod terminal;
