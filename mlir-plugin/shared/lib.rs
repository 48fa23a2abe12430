//! The library with the passes, which the plugin loads and compilers link. Its name has the major version of LLVM, as
//! in `libmemplan-22.so`: those for two versions lie beside each other.
//!
//! The plugin is `libmemplan.so`, a small loader (`loader.c`). It compares the LLVM of the tool with its own before
//! anything that needs LLVM is loaded, so it also answers in tools of other versions.
//!
//! Cargo names the library itself `libmemplan_shared.so`: names of crates have no hyphens, and the crate `memplan`, which
//! compilers in Rust embed, is another package, since two libraries of one package are not possible. The build script puts
//! two files beside the executables: the loader, and a link with the library's right name. The link leads to `deps`,
//! where cargo writes the library for tests, too.

use memplan as _;
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

// SAFETY: the name and type of this function of memplan's C API, which any thread may call.
unsafe extern "C" {
    safe fn memplanRegisterPasses() -> bool;
}

extern "C" fn register_passes() {
    memplanRegisterPasses();
}

/// The entry that the plugin calls, as MLIR's plugin loader calls that of the plugin.
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
