//! Safe Rust over MLIR, for what the C API and melior lack.
//!
//! * [`ir`]: handles to IR, used throughout memplan, and queries that melior lacks.
//! * [`names`]: traits and interfaces of the operations of a name.
//! * [`effects`], [`control_flow`], [`calls`], [`loops`], [`structured_ops`]: queries of interfaces.
//! * [`layout`], [`strides`]: sizes and strided layouts of memrefs.
//! * [`values`], [`constants`], [`affine`], [`affine_map`], [`attributes`]: bounds of index values, constants, affine maps,
//!   attributes that threads share.
//! * [`deallocation_model`]: upstream's models of `BufferDeallocationOpInterface`.
//! * [`symbols`]: references to symbols, and changes of signatures.
//! * [`build`], [`copy`], [`rebuild`]: the operations that memplan writes, copies, and changes of existing
//!   operations.
//! * [`changes`]: a log of changes of the IR, for caches.
//! * [`diagnostics`], [`mod@codes`]: errors, warnings and remarks with notes, and their kinds.
//! * [`pass`], [`pipeline`], [`create`]: passes and pipelines that are declared in Rust and run by MLIR's pass
//!   manager.
//! * [`run_cache`]: values that passes share while the pass manager runs.
//! * [`catch_panic`]: calls of functions that embedders registered.
//! * [`parallel`], [`malloc_arenas`]: work on several threads.
//! * [`split`], [`llvm`]: splitting a module into parts, LLVM IR and machine code.
//! * [`expand`]: loops in place of operations that MLIR does not convert to LLVM.
//! * [`context`], [`tools`]: contexts, and MLIR's own tools with memplan's passes.
//!
//! This is the only crate with `unsafe` calls into MLIR.

pub mod affine;
pub mod affine_map;
pub mod attributes;
pub mod attributions;
pub mod build;
pub mod calls;
pub mod catch_panic;
pub mod constants;
pub mod context;
pub mod control_flow;
pub mod copy;
pub mod create;
pub mod deallocation_model;
pub mod diagnostics;
pub mod effects;
pub mod expand;
mod ffi;
pub mod ir;
pub mod layout;
pub mod llvm;
pub mod loops;
pub mod malloc_arenas;
pub mod names;
pub mod parallel;
pub mod pass;
pub mod pipeline;
pub mod rebuild;
pub mod run_cache;
pub mod split;
pub mod strides;
mod string_ref;
pub mod structured_ops;
pub mod symbols;
pub mod tools;
pub mod values;

pub use ir::changes;
pub use melior;
pub use memplan_interface::codes;

/// The problem with the MLIR of this process, in one line. `None` if it is the host's own and the version that
/// memplan was built for. Meant for a plugin's entry.
pub fn host_problem() -> Option<String> {
    // SAFETY: returns null or a string that lives as long as the process.
    unsafe {
        let text = ffi::memplanHostProblem();
        (!text.is_null()).then(|| {
            std::ffi::CStr::from_ptr(text)
                .to_string_lossy()
                .into_owned()
        })
    }
}
