//! `memplan-opt`: `mlir-opt` in which memplan's passes are plain flags.

use memplan_mlir::{melior::utility::register_all_passes, tools::opt_main};
use std::{ffi::CStr, process::ExitCode};

/// The text that `--version` prints for memplan.
const VERSION: &CStr = match CStr::from_bytes_with_nul(
    concat!("memplan ", env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
) {
    Ok(version) => version,
    Err(_) => c"memplan",
};

/// Runs the tool. The first argument of the process selected it.
pub fn run() -> ExitCode {
    register_all_passes();
    memplan_passes::register_all();
    opt_main(VERSION, 1)
}
