//! Safe Rust over MLIR where the C API and melior end.
//!
//! * [`ir`]: the handles used throughout memplan, and what melior lacks around them.
//! * [`names`]: which traits and interfaces the operations of a name have.
//! * [`effects`], [`flow`], [`calls`]: interface queries, asked of each operation once.
//! * [`layout`]: sizes of memrefs as the LLVM lowering lays them out.
//! * [`llvm`]: from the LLVM dialect to machine code.
//! * [`loops`]: how many turns a parallel loop has.
//! * [`model`]: models of upstream's deallocation, asked by themselves.
//! * [`units`]: what it takes to cut a module in pieces.
//! * [`values`]: bounds of index values, and what may be computed early.
//! * [`build`]: the few operations that memplan writes; [`copy`]: copies of those that are there.
//! * [`affine`]: affine maps on numbers.
//! * [`changes`]: what has been changed, for those who keep answers about operations.
//! * [`diagnostics`]: errors, warnings and remarks with notes; [`mod@codes`]: what kinds of them there are.
//! * [`heaps`]: where threads allocate.
//! * [`context`]: MLIR without a tool around it.
//! * [`contained`]: calls of what embedders register.
//! * [`shared`]: what passes share as long as the pass manager runs.
//! * [`strides`]: which operations take memrefs of other strides.
//! * [`symbols`]: who refers to whom, and changes of signatures.
//! * [`pass`]: passes declared in Rust and run by MLIR's pass manager.
//! * [`pipeline`]: passes in a row, under one name.
//! * [`create`]: passes and pipelines for programs that embed memplan.
//! * [`tools`]: MLIR's own tools, with passes in Rust.
//!
//! This is the only crate with `unsafe` calls into MLIR.

pub mod affine;
pub mod build;
pub mod calls;
pub mod codes;
pub mod constants;
pub mod contained;
pub mod contents;
pub mod context;
pub mod copy;
pub mod create;
pub mod diagnostics;
pub mod effects;
mod ffi;
pub mod flow;
pub mod heaps;
pub mod ir;
pub mod layout;
pub mod llvm;
pub mod loops;
pub mod model;
pub mod names;
pub mod parallel;
pub mod pass;
pub mod pipeline;
pub mod rebuild;
pub mod shared;
pub mod strides;
pub mod symbols;
mod text;
pub mod tools;
pub mod units;
pub mod values;

pub use ir::changes;
pub use melior;

/// What is wrong with the MLIR of this process, in one line; `None` if it is the host's own and
/// the one that memplan was built for. Meant for a plugin's entry.
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
