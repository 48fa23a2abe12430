//! The plugin's entry.

use std::ffi::{CStr, c_char};

/// The struct that MLIR's plugin loader expects (mlir/Tools/Plugins/PassPlugin.h).
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
    crate::capi::memplanRegisterPasses();
}

/// The entry that MLIR's plugin loader calls.
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
