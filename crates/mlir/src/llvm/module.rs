//! Modules of LLVM IR.

use super::{LlvmContext, c_text, message};
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
    ir_reader::LLVMParseIRInContext2,
    linker::LLVMLinkModules2,
    prelude::{LLVMModuleRef, LLVMValueRef},
};
use std::{marker::PhantomData, ptr::null_mut};

/// A module of LLVM IR.
pub struct LlvmModule<'c> {
    pub(super) raw: LLVMModuleRef,
    context: PhantomData<&'c LlvmContext>,
}

/// The linkage of a symbol between the modules of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The linkage stays as it is.
    Unchanged,
    /// Hidden: only modules that are linked into the same object can refer to it.
    Hidden,
    /// Every module that needs it defines it, and the linker keeps one. Hidden, as above.
    Once,
    /// Every module has a definition of its own.
    Internal,
}

impl<'c> LlvmModule<'c> {
    /// Translates a module of the LLVM dialect. Diagnostics are reported in its context.
    pub fn translate(module: Op<'_>, context: &'c LlvmContext) -> Option<Self> {
        // SAFETY: live handles; null is excluded.
        let raw = unsafe {
            mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw.cast()).cast()
        };
        Self::from_raw(raw)
    }

    /// An empty module.
    pub fn empty(name: &str, context: &'c LlvmContext) -> Self {
        // SAFETY: a live context; the name is copied.
        let raw = unsafe { LLVMModuleCreateWithNameInContext(c_text(name).as_ptr(), context.raw) };
        Self {
            raw,
            context: PhantomData,
        }
    }

    /// A module from text; `None` if it is invalid.
    pub fn parse(text: &str, context: &'c LlvmContext) -> Option<Self> {
        let (mut raw, mut error) = (null_mut(), null_mut());
        // SAFETY: the buffer is a copy of the text, and ours; a live context; the message is ours.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                text.as_ptr().cast(),
                text.len(),
                c"text".as_ptr(),
            );
            let failed = LLVMParseIRInContext2(context.raw, buffer, &raw mut raw, &raw mut error);
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                drop(message(error));
                return None;
            }
        }
        Self::from_raw(raw)
    }

    /// Parses bitcode that memplan wrote.
    pub fn read(bitcode: &[u8], context: &'c LlvmContext) -> Option<Self> {
        let mut raw = null_mut();
        // SAFETY: LLVM copies the bytes; on failure it creates no module.
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

    /// Sets the name of the module and of its source file, for symbols and debug information.
    pub fn set_name(&mut self, name: &str) {
        // SAFETY: a live module; LLVM copies the name.
        unsafe {
            LLVMSetModuleIdentifier(self.raw, name.as_ptr().cast(), name.len());
            LLVMSetSourceFileName(self.raw, name.as_ptr().cast(), name.len());
        }
    }

    /// Verifies the module.
    ///
    /// # Errors
    ///
    /// LLVM's message.
    pub fn verify(&self) -> Result<(), String> {
        let mut text = null_mut();
        // SAFETY: a live module; LLVM allocates a message.
        unsafe {
            let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let wrong = LLVMVerifyModule(self.raw, action, &raw mut text) != 0;
            let text = message(text);
            if wrong { Err(text) } else { Ok(()) }
        }
    }

    /// Sets the linkage of each function and global. `sharing` is called with the name, and whether the module
    /// defines it. Returns the defined names that only modules linked into the same object can refer to.
    pub fn set_linkages(&mut self, sharing: impl Fn(&str, bool) -> Sharing) -> Vec<String> {
        let mut private = Vec::new();
        for value in self.values() {
            let name = name_of(value);
            // Names of LLVM itself, such as lists of constructors, have a fixed meaning.
            if name.starts_with("llvm.") {
                continue;
            }
            // SAFETY: a live value of this module.
            let is_defined = unsafe { LLVMIsDeclaration(value) } == 0;
            let sharing = sharing(&name, is_defined);
            // SAFETY: as above; names are copied.
            unsafe {
                match sharing {
                    // Weak and similar linkage is intended.
                    Sharing::Internal if !is_plain(LLVMGetLinkage(value)) => {}
                    Sharing::Unchanged => {}
                    Sharing::Hidden => {
                        LLVMSetVisibility(value, LLVMVisibility::LLVMHiddenVisibility);
                    }
                    Sharing::Once => self.make_weak_odr(value, &name),
                    Sharing::Internal => {
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

    /// Gives internal linkage to the definitions with these names.
    pub fn internalize(&mut self, is_private: impl Fn(&str) -> bool) {
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

    /// Gives a value weak ODR linkage in a comdat of its own, and hides it.
    ///
    /// # Safety
    /// A value of this module.
    unsafe fn make_weak_odr(&self, value: LLVMValueRef, name: &str) {
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

    /// Renames local constants by their contents, so that the linker keeps one of equal ones. `name` computes the
    /// name from the textual form. Constants that refer to other symbols keep their names. Returns the new names.
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
            // Linkers merge equal strings by themselves where addresses do not matter. Constants that refer to names
            // may differ although their texts are equal.
            if written.contains("unnamed_addr") || written.contains(['@', '!']) {
                continue;
            }
            let name = name(written);
            // SAFETY: as above; the name is copied.
            unsafe {
                LLVMSetValueName2(value, name.as_ptr().cast(), name.len());
                // If two constants are equal, LLVM gives the second one another name, and it keeps its own memory.
                if name_of(value) == name {
                    self.make_weak_odr(value, &name);
                    names.push(name);
                }
            }
        }
        names
    }

    fn globals(&self) -> impl Iterator<Item = LLVMValueRef> {
        // SAFETY: walks the module's list, from which nothing is removed meanwhile.
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

    /// The module as bitcode.
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

    /// The module as text.
    pub fn text(&self) -> String {
        // SAFETY: a live module; LLVM allocates a message.
        unsafe { message(LLVMPrintModuleToString(self.raw)) }
    }

    /// Has the module coroutines that were not lowered? No machine code can be generated for them.
    pub fn has_coroutines(&self) -> bool {
        // SAFETY: a live module; the name ends with a zero.
        unsafe { !LLVMGetNamedFunction(self.raw, c"llvm.coro.begin".as_ptr()).is_null() }
    }

    /// Has the module operations on matrices? No machine code can be generated for them.
    pub fn has_matrices(&self) -> bool {
        self.functions()
            .any(|function| name_of(function).starts_with("llvm.matrix."))
    }

    /// Renames a function that is declared only. False if there is none of this name.
    pub fn rename_declared(&mut self, name: &str, new_name: &str) -> bool {
        // SAFETY: a live module; the names are copied.
        unsafe {
            let function = LLVMGetNamedFunction(self.raw, c_text(name).as_ptr());
            let is_declared = !function.is_null() && LLVMIsDeclaration(function) != 0;
            if is_declared {
                LLVMSetValueName2(function, new_name.as_ptr().cast(), new_name.len());
            }
            is_declared
        }
    }

    /// Links another module into this one. False on a conflict, which the context reports.
    pub fn link(&mut self, other: Self) -> bool {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: live modules of one context; LLVM takes over the second one.
        unsafe { LLVMLinkModules2(self.raw, raw) == 0 }
    }
}

impl Drop for LlvmModule<'_> {
    fn drop(&mut self) {
        // SAFETY: owned by this value alone.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

/// Is the linkage external or local, without a special meaning?
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
    // SAFETY: a live value, which owns the name.
    unsafe {
        let start = LLVMGetValueName2(value, &raw mut length).cast::<u8>();
        if start.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
    }
}
