//! The shim's functions, as bindgen reads them from its header.
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    missing_docs,
    clippy::all
)]
include!(concat!(env!("OUT_DIR"), "/shim.rs"));
