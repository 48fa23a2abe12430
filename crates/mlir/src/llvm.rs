//! From the LLVM dialect to LLVM IR and machine code.
//!
//! * [`Llvm`]: a context of LLVM's, of one thread at a time.
//! * [`LlvmModule`]: LLVM IR, and the linkage of what it defines.
//! * [`Machine`]: what code is made for.

mod fatal;
mod machine;
mod module;

pub use fatal::{at_work_on, before_the_end, in_another_process, name_fatal_errors};
pub use machine::{Form, Machine, Target, initialize};
pub use module::{LlvmModule, Sharing};

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

/// What LLVM says while it works: how grave it is, and a text.
pub type Remark = (crate::codes::Severity, String);

/// The version of the LLVM that the process has loaded: major, minor, patch.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: LLVM writes one number to each.
    unsafe { LLVMGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
    (major, minor, patch)
}

/// A context of LLVM's.
pub struct Llvm {
    raw: LLVMContextRef,
    /// What it said, in order. Boxed, as LLVM keeps its address.
    said: Box<RefCell<Vec<Remark>>>,
}

impl Default for Llvm {
    fn default() -> Self {
        Self::new()
    }
}

impl Llvm {
    /// A new one.
    pub fn new() -> Self {
        extern "C" fn collect(info: LLVMDiagnosticInfoRef, said: *mut c_void) {
            use crate::codes::Severity;
            // SAFETY: LLVM hands over a live diagnostic, and the list given below, which nobody borrows meanwhile.
            unsafe {
                let severity = match LLVMGetDiagInfoSeverity(info) {
                    LLVMDiagnosticSeverity::LLVMDSError => Severity::Error,
                    LLVMDiagnosticSeverity::LLVMDSWarning => Severity::Warning,
                    // What passes of its have to say of each function.
                    _ => return,
                };
                let text = message(LLVMGetDiagInfoDescription(info));
                let said = &*said.cast::<RefCell<Vec<Remark>>>();
                said.borrow_mut().push((severity, text));
            }
        }
        let said: Box<RefCell<Vec<Remark>>> = Box::default();
        // SAFETY: the list lives as long as the context.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let said = (&raw const *said).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), said);
            raw
        };
        Self { raw, said }
    }

    /// What it said since it was asked last.
    pub fn said(&self) -> Vec<Remark> {
        std::mem::take(&mut self.said.borrow_mut())
    }
}

impl Drop for Llvm {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// Takes a message that LLVM made.
///
/// # Safety
/// Null, or a message of LLVM's that nobody else frees.
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

/// A text as LLVM takes it; what is behind a zero goes.
fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
