//! MLIR's own tools, with the arguments of this process and the passes that it registered.

use crate::ffi;
use melior::{dialect::DialectRegistry, utility::register_all_dialects};
use std::{
    env,
    ffi::{CStr, CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    process::ExitCode,
};

/// `mlir-opt` with all dialects of MLIR. `version` is a line that `--version` prints after LLVM's. The tool does not get the
/// first `skipped` arguments.
pub fn opt_main(version: &'static CStr, skipped: usize) -> ExitCode {
    main(skipped, |count, arguments, registry| {
        // SAFETY: the arguments outlive the call, and the line outlives the process.
        unsafe { ffi::memplanOptMain(count, arguments, version.as_ptr(), registry.to_raw()) }
    })
}

/// MLIR's language server with all dialects of MLIR.
pub fn lsp_main() -> ExitCode {
    main(0, |count, arguments, registry| {
        // SAFETY: the arguments outlive the call.
        unsafe { ffi::memplanLspMain(count, arguments, registry.to_raw()) }
    })
}

fn main(
    skipped: usize,
    tool: impl FnOnce(c_int, *mut *mut c_char, &DialectRegistry) -> c_int,
) -> ExitCode {
    // No process argument contains a zero byte.
    let mut given = env::args_os();
    let program = given.next();
    let given = program.into_iter().chain(given.skip(skipped));
    let arguments = given.filter_map(|one| CString::new(one.into_vec()).ok());
    let mut raw: Vec<*mut c_char> = arguments.map(CString::into_raw).collect();
    let count = c_int::try_from(raw.len()).unwrap_or(c_int::MAX);
    raw.push(std::ptr::null_mut());
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let code = tool(count, raw.as_mut_ptr(), &registry);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
