//! memplan: memory planning for MLIR, as a pass plugin for stock `mlir-opt`.
//!
//! `libmemplan.so` exports one symbol, `mlirGetPassPluginInfo`, which MLIR's plugin loader calls.

use std::ffi::{CStr, c_char};

pub use memplan_passes as passes;

/// What MLIR's plugin loader asks for (mlir/Tools/Plugins/PassPlugin.h).
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    plugin_name: *const c_char,
    plugin_version: *const c_char,
    register_passes: extern "C" fn(),
}

const API_VERSION: u32 = 1;
const NAME: &CStr = c"memplan";
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

extern "C" fn register_passes() {
    // A panic must not reach the host.
    let result = std::panic::catch_unwind(|| match memplan_passes::host_problem() {
        None => memplan_passes::register_all(),
        Some(problem) => eprintln!("{problem}"),
    });
    if result.is_err() {
        eprintln!("memplan: internal error while registering passes");
    }
}

/// The plugin's entry.
// SAFETY: the name and type that MLIR's loader expects; no other symbol has the name.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: API_VERSION,
        plugin_name: NAME.as_ptr(),
        plugin_version: VERSION.as_ptr(),
        register_passes,
    }
}
