//! What code is made for, and making it.

use super::{LlvmModule, c_text, message};
use crate::{
    ffi,
    text::{borrow, copy},
};
use llvm_sys::{
    core::{LLVMDisposeMemoryBuffer, LLVMGetBufferSize, LLVMGetBufferStart, LLVMSetTarget},
    error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage},
    target::{
        LLVM_InitializeAllAsmParsers, LLVM_InitializeAllAsmPrinters, LLVM_InitializeAllTargetInfos,
        LLVM_InitializeAllTargetMCs, LLVM_InitializeAllTargets, LLVMDisposeTargetData,
        LLVMSetModuleDataLayout,
    },
    target_machine::{
        LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetDataLayout,
        LLVMCreateTargetMachine, LLVMDisposeTargetMachine, LLVMGetDefaultTargetTriple,
        LLVMGetHostCPUFeatures, LLVMGetHostCPUName, LLVMGetTargetFromTriple,
        LLVMNormalizeTargetTriple, LLVMRelocMode, LLVMTargetMachineEmitToMemoryBuffer,
        LLVMTargetMachineRef,
    },
    transforms::pass_builder::{
        LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
    },
};
use mlir_sys::MlirStringRef;
use std::{
    ffi::{CStr, CString, c_void},
    ptr::null_mut,
    sync::Once,
};

/// What code is to be made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A triple; empty for this machine's.
    pub triple: String,
    /// A processor; empty for any of the kind, `native` for this one.
    pub cpu: String,
    /// Features, `+avx2,-sse4a`.
    pub features: String,
    /// How hard machine code is worked on, 0 to 3.
    pub level: u8,
}

/// Which form machine code is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An object file.
    Object,
    /// Text for an assembler.
    Assembly,
}

/// Makes machine code. Of one thread.
pub struct Machine {
    raw: Raw,
    triple: CString,
    cpu: CString,
    features: CString,
    level: LLVMCodeGenOptLevel,
}

/// LLVM's own.
struct Raw(LLVMTargetMachineRef);

impl Drop for Raw {
    fn drop(&mut self) {
        // SAFETY: ours alone.
        unsafe { LLVMDisposeTargetMachine(self.0) }
    }
}

/// Makes all targets known that LLVM has. Again is no harm.
pub fn initialize() {
    static ONCE: Once = Once::new();
    // SAFETY: tables of LLVM's, filled once.
    ONCE.call_once(|| unsafe {
        LLVM_InitializeAllTargetInfos();
        LLVM_InitializeAllTargets();
        LLVM_InitializeAllTargetMCs();
        LLVM_InitializeAllAsmPrinters();
        LLVM_InitializeAllAsmParsers();
    });
}

impl Target {
    /// The triple in full.
    pub fn full_triple(&self) -> String {
        // SAFETY: LLVM makes messages of both.
        unsafe {
            match self.triple.is_empty() {
                true => message(LLVMGetDefaultTargetTriple()),
                false => message(LLVMNormalizeTargetTriple(c_text(&self.triple).as_ptr())),
            }
        }
    }
}

impl Target {
    /// Why no code can be made for it, or, where that is wanted, no object that can be joined to others.
    pub fn problem(&self, for_object: bool) -> Option<String> {
        unsafe extern "C" fn take(text: MlirStringRef, found: *mut c_void) {
            // SAFETY: the shim hands over a valid text, and the place given below.
            unsafe { *found.cast::<Option<String>>() = Some(copy(text)) }
        }
        initialize();
        let cpu = match self.cpu.as_str() {
            "native" => "",
            cpu => cpu,
        };
        let mut found: Option<String> = None;
        // SAFETY: the texts outlive the call, and so does what is found.
        unsafe {
            ffi::memplanTargetProblem(
                borrow(&self.full_triple()),
                borrow(cpu),
                borrow(&self.features),
                for_object,
                Some(take),
                (&raw mut found).cast(),
            );
        }
        found
    }
}

impl Machine {
    /// One for a target. What is wrong with it, where something is.
    pub fn new(target: &Target) -> Result<Self, String> {
        initialize();
        let triple = target.full_triple();
        let (mut cpu, mut features) = (target.cpu.clone(), target.features.clone());
        if cpu == "native" {
            // SAFETY: LLVM makes messages of both.
            unsafe {
                cpu = message(LLVMGetHostCPUName());
                let host = message(LLVMGetHostCPUFeatures());
                features = match features.is_empty() {
                    true => host,
                    false => format!("{host},{features}"),
                };
            }
        }
        let level = match target.level {
            0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            _ => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        let (triple, cpu, features) = (c_text(&triple), c_text(&cpu), c_text(&features));
        let raw = Self::raw(&triple, &cpu, &features, level)?;
        Ok(Self {
            raw,
            triple,
            cpu,
            features,
            level,
        })
    }

    fn raw(
        triple: &CStr,
        cpu: &CStr,
        features: &CStr,
        level: LLVMCodeGenOptLevel,
    ) -> Result<Raw, String> {
        let mut found = null_mut();
        let mut error = null_mut();
        // SAFETY: the texts outlive the calls; on failure, LLVM makes a message.
        let raw = unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &raw mut found, &raw mut error) != 0 {
                return Err(message(error));
            }
            LLVMCreateTargetMachine(
                found,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                level,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        };
        match raw.is_null() {
            true => Err(format!(
                "no machine code for '{}'",
                triple.to_string_lossy()
            )),
            false => Ok(Raw(raw)),
        }
    }

    /// Tells a module what it is for.
    pub fn prepare(&self, module: &mut LlvmModule<'_>) {
        // SAFETY: live handles; LLVM copies both.
        unsafe {
            let layout = LLVMCreateTargetDataLayout(self.raw.0);
            LLVMSetModuleDataLayout(module.raw, layout);
            LLVMDisposeTargetData(layout);
            LLVMSetTarget(module.raw, self.triple.as_ptr());
        }
    }

    /// Runs passes of LLVM's, written as `opt -passes` takes them.
    pub fn run(&self, module: &mut LlvmModule<'_>, passes: &str) -> Result<(), String> {
        // SAFETY: live handles; an error is LLVM's own message.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(module.raw, c_text(passes).as_ptr(), self.raw.0, options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let raw = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(raw);
            Err(text)
        }
    }

    /// Machine code of a module, which is of no use afterwards.
    pub fn emit(&self, module: LlvmModule<'_>, form: Form) -> Result<Vec<u8>, String> {
        let form = match form {
            Form::Object => LLVMCodeGenFileType::LLVMObjectFile,
            Form::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
        };
        // One remembers what modules before used, by their addresses.
        let fresh = Self::raw(&self.triple, &self.cpu, &self.features, self.level)?;
        let mut buffer = null_mut();
        let mut error = null_mut();
        // SAFETY: live handles; LLVM makes a buffer, or a message.
        unsafe {
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                fresh.0,
                module.raw,
                form,
                &raw mut error,
                &raw mut buffer,
            );
            if failed != 0 {
                return Err(message(error));
            }
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    }
}
