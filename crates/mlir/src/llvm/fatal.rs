//! Errors after which LLVM ends the process.

use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::{
    cell::RefCell,
    ffi::{CStr, c_char},
    io::Write,
    sync::Once,
};

thread_local! {
    static WORK: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Says what this thread works on.
pub fn at_work_on(what: &str) {
    WORK.with_borrow_mut(|work| {
        work.clear();
        work.push_str(what);
    });
}

/// Lets LLVM's fatal errors say what the thread worked on, and end the process with 1.
pub fn name_fatal_errors() {
    extern "C" fn report(reason: *const c_char) {
        // SAFETY: LLVM hands over a text.
        let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
        let work = WORK.try_with(|work| work.try_borrow().map(|work| work.clone()));
        let work = work.ok().and_then(Result::ok).unwrap_or_default();
        // Whoever reads it may be gone.
        let _ = writeln!(
            std::io::stderr(),
            "memplan: error: LLVM gave up on {work}: {reason}"
        );
        std::process::exit(1);
    }
    static ONCE: Once = Once::new();
    // SAFETY: once, since LLVM takes one handler; it does not unwind.
    ONCE.call_once(|| unsafe { LLVMInstallFatalErrorHandler(Some(report)) });
}
