//! Translation from the LLVM dialect to LLVM IR and machine code.
//!
//! * [`LlvmContext`]: an LLVM context, used by one thread at a time.
//! * [`LlvmModule`]: a module of LLVM IR, and the linkage of its definitions.
//! * [`TargetMachine`]: optimization and code generation for a [`Target`].

mod fatal_errors;
mod module;
mod target_machine;

pub use fatal_errors::{
    Restart, install_fatal_error_handler, on_fatal_error, restart_on_crash, run_in_child_process,
    set_current_work,
};
pub use module::{LlvmModule, Sharing};
pub use target_machine::{CodeFormat, Target, TargetMachine, initialize};

use llvm_sys::{
    LLVMDiagnosticSeverity,
    core::{
        LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeMessage,
        LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity, LLVMGetVersion,
    },
    prelude::{LLVMContextRef, LLVMDiagnosticInfoRef},
};
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_void},
};

/// A diagnostic of LLVM: severity and text.
pub type LlvmDiagnostic = (crate::codes::Severity, String);

/// The version of the LLVM that the process has loaded: major, minor, patch.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: LLVM writes one number to each.
    unsafe { LLVMGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
    (major, minor, patch)
}

/// An LLVM context.
pub struct LlvmContext {
    raw: LLVMContextRef,
    /// Diagnostics in the order in which LLVM reported them. Boxed, as LLVM keeps the address.
    diagnostics: Box<RefCell<Vec<LlvmDiagnostic>>>,
}

impl Default for LlvmContext {
    fn default() -> Self {
        Self::new()
    }
}

impl LlvmContext {
    /// A new context.
    pub fn new() -> Self {
        extern "C" fn collect(info: LLVMDiagnosticInfoRef, diagnostics: *mut c_void) {
            use crate::codes::Severity;
            // SAFETY: LLVM passes a live diagnostic, and the list given below, which is not borrowed meanwhile.
            unsafe {
                let severity = match LLVMGetDiagInfoSeverity(info) {
                    LLVMDiagnosticSeverity::LLVMDSError => Severity::Error,
                    LLVMDiagnosticSeverity::LLVMDSWarning => Severity::Warning,
                    // Remarks of LLVM passes about each function.
                    _ => return,
                };
                let text = message(LLVMGetDiagInfoDescription(info));
                let diagnostics = &*diagnostics.cast::<RefCell<Vec<LlvmDiagnostic>>>();
                diagnostics.borrow_mut().push((severity, text));
            }
        }
        let diagnostics: Box<RefCell<Vec<LlvmDiagnostic>>> = Box::default();
        // SAFETY: the list lives as long as the context.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let diagnostics = (&raw const *diagnostics).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), diagnostics);
            raw
        };
        Self { raw, diagnostics }
    }

    /// The diagnostics since the last call.
    pub fn take_diagnostics(&self) -> Vec<LlvmDiagnostic> {
        std::mem::take(&mut self.diagnostics.borrow_mut())
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// Takes ownership of a message that LLVM allocated.
///
/// # Safety
/// Null, or a message of LLVM that nothing else frees.
unsafe fn message(raw: *mut c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        text
    }
}

/// A C string for LLVM, cut at the first zero byte.
fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
