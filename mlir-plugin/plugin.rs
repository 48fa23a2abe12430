//! The plugin's entry.

use std::{
    ffi::{CStr, c_char, c_uint},
    io::{self, Write},
};

/// The struct that MLIR's plugin loader expects (mlir/Tools/Plugins/PassPlugin.h).
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    plugin_name: *const c_char,
    plugin_version: *const c_char,
    register_passes: extern "C" fn(),
}

const API_VERSION: u32 = 1;
/// A version with which no loader goes on.
const NO_API_VERSION: u32 = 0;
/// The LLVM that the plugin is built for.
const BUILT_FOR: [c_uint; 2] = [22, 1];
const NAME: &CStr = c"memplan";
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

extern "C" fn register_passes() {
    crate::capi::memplanRegisterPasses();
}

/// The version of the LLVM that the process had loaded before this plugin. `None` where that is linked into the tool.
fn version_of_host() -> Option<[c_uint; 2]> {
    // SAFETY: looks a name up, in the executable and its libraries first.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"LLVMGetVersion".as_ptr()) };
    if found.is_null() {
        return None;
    }
    let (mut major, mut minor, mut patch): (c_uint, c_uint, c_uint) = (0, 0, 0);
    // SAFETY: the type of this function of LLVM's C API, since LLVM 16, which has it first; three integers to write.
    unsafe {
        let version: unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint) =
            std::mem::transmute(found);
        version(&raw mut major, &raw mut minor, &raw mut patch);
    }
    Some([major, minor])
}

/// Whether the tool that loads this plugin has another LLVM: MLIR would abort at the first pass that both know.
fn is_foreign() -> bool {
    let Some(host) = version_of_host().filter(|host| *host != BUILT_FOR) else {
        return false;
    };
    let [built, loaded] = [BUILT_FOR, host].map(|[major, minor]| format!("{major}.{minor}"));
    // The reader of standard error may be gone.
    _ = writeln!(
        io::stderr(),
        "memplan: error: this plugin is built for LLVM {built}, and this tool has LLVM {loaded}: load it into the tools of \
         LLVM {built}"
    );
    true
}

/// The entry that MLIR's plugin loader calls.
// SAFETY: the name and type that MLIR's loader expects; no other symbol has the name.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: match is_foreign() {
            true => NO_API_VERSION,
            false => API_VERSION,
        },
        plugin_name: NAME.as_ptr(),
        plugin_version: VERSION.as_ptr(),
        register_passes,
    }
}
