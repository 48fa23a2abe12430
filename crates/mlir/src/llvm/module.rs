//! LLVM IR.

use super::{Llvm, c_text, message};
use crate::ir::Op;
use llvm_sys::{
    LLVMLinkage, LLVMVisibility,
    analysis::{LLVMVerifierFailureAction, LLVMVerifyModule},
    bit_reader::LLVMParseBitcodeInContext2,
    bit_writer::LLVMWriteBitcodeToMemoryBuffer,
    comdat::{
        LLVMComdatSelectionKind, LLVMGetOrInsertComdat, LLVMSetComdat, LLVMSetComdatSelectionKind,
    },
    core::{
        LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDisposeMemoryBuffer, LLVMDisposeModule,
        LLVMGetBufferSize, LLVMGetBufferStart, LLVMGetFirstFunction, LLVMGetFirstGlobal,
        LLVMGetInitializer, LLVMGetLinkage, LLVMGetNamedFunction, LLVMGetNextFunction,
        LLVMGetNextGlobal, LLVMGetValueName2, LLVMIsDeclaration, LLVMIsGlobalConstant,
        LLVMIsThreadLocal, LLVMModuleCreateWithNameInContext, LLVMPrintModuleToString,
        LLVMPrintValueToString, LLVMSetLinkage, LLVMSetModuleIdentifier, LLVMSetSourceFileName,
        LLVMSetValueName2, LLVMSetVisibility,
    },
    linker::LLVMLinkModules2,
    prelude::{LLVMModuleRef, LLVMValueRef},
};
use std::{marker::PhantomData, ptr::null_mut};

/// LLVM IR of one module.
pub struct LlvmModule<'c> {
    pub(super) raw: LLVMModuleRef,
    context: PhantomData<&'c Llvm>,
}

/// How modules share what one of them defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// As it is.
    Untouched,
    /// Only what is linked with it can refer to it.
    Hidden,
    /// Each module that needs it has it; one is kept, which only what is linked with it can refer to.
    Once,
    /// Each module has its own.
    Own,
}

impl<'c> LlvmModule<'c> {
    /// Translates a module in the LLVM dialect. Diagnostics go to its context.
    pub fn translate(module: Op<'_>, context: &'c Llvm) -> Option<Self> {
        // SAFETY: live handles; null is ruled out.
        let raw = unsafe {
            mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw.cast()).cast()
        };
        Self::from_raw(raw)
    }

    /// One without anything in it.
    pub fn empty(name: &str, context: &'c Llvm) -> Self {
        // SAFETY: a live context; the name is copied.
        let raw = unsafe { LLVMModuleCreateWithNameInContext(c_text(name).as_ptr(), context.raw) };
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// Reads bitcode of ours.
    pub fn read(bitcode: &[u8], context: &'c Llvm) -> Option<Self> {
        let mut raw = null_mut();
        // SAFETY: LLVM copies the bytes; on failure it leaves no module.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bitcode.as_ptr().cast(),
                bitcode.len(),
                c"unit".as_ptr(),
            );
            let failed = LLVMParseBitcodeInContext2(context.raw, buffer, &raw mut raw) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        (!failed).then(|| Self::from_raw(raw)).flatten()
    }

    fn from_raw(raw: LLVMModuleRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self {
            raw,
            context: PhantomData,
        })
    }

    /// Gives it a name, which is the source's in symbols and debug information.
    pub fn set_name(&mut self, name: &str) {
        // SAFETY: a live module; LLVM copies the name.
        unsafe {
            LLVMSetModuleIdentifier(self.raw, name.as_ptr().cast(), name.len());
            LLVMSetSourceFileName(self.raw, name.as_ptr().cast(), name.len());
        }
    }

    /// What is wrong with it.
    pub fn verify(&self) -> Result<(), String> {
        let mut text = null_mut();
        // SAFETY: a live module; LLVM makes a message.
        unsafe {
            let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let wrong = LLVMVerifyModule(self.raw, action, &raw mut text) != 0;
            let text = message(text);
            if wrong { Err(text) } else { Ok(()) }
        }
    }

    /// Says of each function and global with a body or a value, and of those that are declared, how it is shared. Called with the
    /// name, and whether it is defined. Returns the names that are now for the modules that it is joined with, and for nobody else.
    pub fn share(&mut self, sharing: impl Fn(&str, bool) -> Sharing) -> Vec<String> {
        let mut private = Vec::new();
        for value in self.values() {
            let name = name_of(value);
            // LLVM's own, as lists of constructors, have their meaning.
            if name.starts_with("llvm.") {
                continue;
            }
            // SAFETY: a live value of this module.
            let is_defined = unsafe { LLVMIsDeclaration(value) } == 0;
            let sharing = sharing(&name, is_defined);
            // SAFETY: as above; names are copied.
            unsafe {
                match sharing {
                    // What LLVM lets modules share is meant so.
                    Sharing::Own if !is_plain(LLVMGetLinkage(value)) => {}
                    Sharing::Untouched => {}
                    Sharing::Hidden => {
                        LLVMSetVisibility(value, LLVMVisibility::LLVMHiddenVisibility);
                    }
                    Sharing::Once => self.keep_one(value, &name),
                    Sharing::Own => {
                        LLVMSetVisibility(value, LLVMVisibility::LLVMDefaultVisibility);
                        LLVMSetLinkage(value, LLVMLinkage::LLVMInternalLinkage);
                    }
                }
            }
            if is_defined && matches!(sharing, Sharing::Hidden | Sharing::Once) {
                private.push(name);
            }
        }
        private
    }

    /// Makes what has these names the module's own.
    pub fn keep_private(&mut self, is_private: impl Fn(&str) -> bool) {
        for value in self.values() {
            // SAFETY: a live value of this module.
            unsafe {
                if LLVMIsDeclaration(value) == 0 && is_private(&name_of(value)) {
                    LLVMSetComdat(value, null_mut());
                    LLVMSetVisibility(value, LLVMVisibility::LLVMDefaultVisibility);
                    LLVMSetLinkage(value, LLVMLinkage::LLVMInternalLinkage);
                }
            }
        }
    }

    /// # Safety
    /// A value of this module.
    unsafe fn keep_one(&self, value: LLVMValueRef, name: &str) {
        // SAFETY: the caller's promise; names are copied.
        unsafe {
            if LLVMIsDeclaration(value) == 0 {
                LLVMSetLinkage(value, LLVMLinkage::LLVMWeakODRLinkage);
                let comdat = LLVMGetOrInsertComdat(self.raw, c_text(name).as_ptr());
                LLVMSetComdatSelectionKind(
                    comdat,
                    LLVMComdatSelectionKind::LLVMAnyComdatSelectionKind,
                );
                LLVMSetComdat(value, comdat);
            }
            LLVMSetVisibility(value, LLVMVisibility::LLVMHiddenVisibility);
        }
    }

    /// Names constants of this module alone by what they hold, so that one of each is kept where modules are joined. `name`
    /// makes a name of how one is written; what refers to others stays this module's. Returns the names.
    pub fn pool_constants(&mut self, name: impl Fn(&str) -> String) -> Vec<String> {
        let mut names = Vec::new();
        let globals: Vec<LLVMValueRef> = self.globals().collect();
        for value in globals {
            // SAFETY: a live value of this module.
            let text = unsafe {
                let linkage = LLVMGetLinkage(value);
                let is_local = linkage == LLVMLinkage::LLVMPrivateLinkage
                    || linkage == LLVMLinkage::LLVMInternalLinkage;
                let is_plain = is_local
                    && LLVMIsGlobalConstant(value) != 0
                    && LLVMIsThreadLocal(value) == 0
                    && !LLVMGetInitializer(value).is_null();
                if !is_plain {
                    continue;
                }
                message(LLVMPrintValueToString(value))
            };
            let Some((_, written)) = text.split_once(" = ") else {
                continue;
            };
            // Equal texts are kept once by linkers where addresses do not matter, and names stand for others.
            if written.contains("unnamed_addr") || written.contains(['@', '!']) {
                continue;
            }
            let name = name(written);
            // SAFETY: as above; the name is copied.
            unsafe {
                LLVMSetValueName2(value, name.as_ptr().cast(), name.len());
                // Where two of them are equal, the second one keeps another name, and its own memory.
                if name_of(value) == name {
                    self.keep_one(value, &name);
                    names.push(name);
                }
            }
        }
        names
    }

    fn globals(&self) -> impl Iterator<Item = LLVMValueRef> {
        // SAFETY: walks the module's list, of which none goes meanwhile.
        let mut next = unsafe { LLVMGetFirstGlobal(self.raw) };
        std::iter::from_fn(move || {
            let current = (!next.is_null()).then_some(next)?;
            // SAFETY: as above.
            next = unsafe { LLVMGetNextGlobal(current) };
            Some(current)
        })
    }

    fn functions(&self) -> impl Iterator<Item = LLVMValueRef> {
        // SAFETY: as above.
        let mut next = unsafe { LLVMGetFirstFunction(self.raw) };
        std::iter::from_fn(move || {
            let current = (!next.is_null()).then_some(next)?;
            // SAFETY: as above.
            next = unsafe { LLVMGetNextFunction(current) };
            Some(current)
        })
    }

    fn values(&self) -> Vec<LLVMValueRef> {
        self.functions().chain(self.globals()).collect()
    }

    /// As bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: a live module; the buffer is ours.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// As text.
    pub fn text(&self) -> String {
        // SAFETY: a live module; LLVM makes a message.
        unsafe { message(LLVMPrintModuleToString(self.raw)) }
    }

    /// Whether there are coroutines in it that nobody has taken apart, which no machine code can be made of.
    pub fn has_coroutines(&self) -> bool {
        // SAFETY: a live module; the name ends with a zero.
        unsafe { !LLVMGetNamedFunction(self.raw, c"llvm.coro.begin".as_ptr()).is_null() }
    }

    /// Takes over what another one has. False if they do not fit; the context says why.
    pub fn link(&mut self, other: Self) -> bool {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: live modules of one context; the second one is LLVM's afterwards.
        unsafe { LLVMLinkModules2(self.raw, raw) == 0 }
    }
}

impl Drop for LlvmModule<'_> {
    fn drop(&mut self) {
        // SAFETY: ours alone.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

/// Whether a module alone has what it defines, or all see it.
fn is_plain(linkage: LLVMLinkage) -> bool {
    matches!(
        linkage,
        LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
    )
}

fn name_of(value: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: a live value, whose name lives as long.
    unsafe {
        let start = LLVMGetValueName2(value, &raw mut length).cast::<u8>();
        if start.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
    }
}
