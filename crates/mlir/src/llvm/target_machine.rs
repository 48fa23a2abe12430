//! Targets, optimization and code generation.

use super::{LlvmModule, c_text, message};
use crate::{
    ffi,
    string_ref::{borrow, copy},
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

/// A target for machine code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Target triple; empty for the host's.
    pub triple: String,
    /// Processor; empty for a generic one, `native` for the host's.
    pub cpu: String,
    /// Target features, such as `+avx2,-sse4a`.
    pub features: String,
    /// Optimization level of the code generator, 0 to 3.
    pub level: u8,
}

/// The format of machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeFormat {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
}

/// Generates machine code for a target. Used by one thread at a time.
pub struct TargetMachine {
    raw: RawMachine,
    triple: CString,
    cpu: CString,
    features: CString,
    level: LLVMCodeGenOptLevel,
}

/// LLVM's target machine.
struct RawMachine(LLVMTargetMachineRef);

impl Drop for RawMachine {
    fn drop(&mut self) {
        // SAFETY: owned by this value alone.
        unsafe { LLVMDisposeTargetMachine(self.0) }
    }
}

/// Registers all targets of LLVM. May be called repeatedly.
pub fn initialize() {
    static ONCE: Once = Once::new();
    // SAFETY: fills LLVM's tables once.
    ONCE.call_once(|| unsafe {
        LLVM_InitializeAllTargetInfos();
        LLVM_InitializeAllTargets();
        LLVM_InitializeAllTargetMCs();
        LLVM_InitializeAllAsmPrinters();
        LLVM_InitializeAllAsmParsers();
    });
}

impl Target {
    /// The normalized triple, never empty.
    pub fn full_triple(&self) -> String {
        // SAFETY: both functions return messages that the caller owns.
        unsafe {
            match self.triple.is_empty() {
                true => message(LLVMGetDefaultTargetTriple()),
                false => message(LLVMNormalizeTargetTriple(c_text(&self.triple).as_ptr())),
            }
        }
    }
}

impl Target {
    /// The reason why no code can be generated for the target, or, with `for_object`, no object that can be joined
    /// with others. `None` if there is none.
    pub fn problem(&self, for_object: bool) -> Option<String> {
        unsafe extern "C" fn take(text: MlirStringRef, found: *mut c_void) {
            // SAFETY: the shim passes a valid text, and the `Option` given below.
            unsafe { *found.cast::<Option<String>>() = Some(copy(text)) }
        }
        initialize();
        let cpu = match self.cpu.as_str() {
            "native" => "",
            cpu => cpu,
        };
        let mut found: Option<String> = None;
        // SAFETY: the texts and `found` outlive the call.
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

impl TargetMachine {
    /// A machine for a target.
    ///
    /// # Errors
    ///
    /// LLVM's message, if the target is not supported.
    pub fn new(target: &Target) -> Result<Self, String> {
        initialize();
        let triple = target.full_triple();
        let (mut cpu, mut features) = (target.cpu.clone(), target.features.clone());
        if cpu == "native" {
            // SAFETY: both functions return messages that the caller owns.
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
    ) -> Result<RawMachine, String> {
        let mut found = null_mut();
        let mut error = null_mut();
        // SAFETY: the texts outlive the calls; on failure, LLVM allocates a message.
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
            false => Ok(RawMachine(raw)),
        }
    }

    /// Sets the data layout and the triple of a module.
    pub fn set_target(&self, module: &mut LlvmModule<'_>) {
        // SAFETY: live handles; LLVM copies both values.
        unsafe {
            let layout = LLVMCreateTargetDataLayout(self.raw.0);
            LLVMSetModuleDataLayout(module.raw, layout);
            LLVMDisposeTargetData(layout);
            LLVMSetTarget(module.raw, self.triple.as_ptr());
        }
    }

    /// Runs LLVM passes, written as for `opt -passes`.
    pub fn run(&self, module: &mut LlvmModule<'_>, passes: &str) -> Result<(), String> {
        // SAFETY: live handles; the text of an error belongs to LLVM.
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

    /// Generates machine code. This consumes the module.
    pub fn emit(&self, module: LlvmModule<'_>, form: CodeFormat) -> Result<Vec<u8>, String> {
        let form = match form {
            CodeFormat::Object => LLVMCodeGenFileType::LLVMObjectFile,
            CodeFormat::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
        };
        // A target machine remembers addresses in modules that it compiled before, so each module gets a new one.
        let fresh = Self::raw(&self.triple, &self.cpu, &self.features, self.level)?;
        let mut buffer = null_mut();
        let mut error = null_mut();
        // SAFETY: live handles; LLVM allocates a buffer or a message.
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
