//! Copies of memrefs without rank.
//!
//! MLIR lowers them to calls of a function of its runtime library. An object should need no library, so that the module
//! gets a function of its own. The linker keeps one of all partitions.

use memplan_mlir::{
    ir::symbol_name,
    llvm::{LlvmContext, LlvmModule, TargetMachine},
    melior::ir::Module,
    split::operations,
};

/// The function of MLIR's runtime library.
const OF_MLIR: &str = "memrefCopy";
/// The function with the same arguments.
const OURS: &str = "memplan.memref_copy";
/// The functions, as LLVM IR.
const TEXT: &str = include_str!("memref_copy.ll");
/// What it defines.
const DEFINED: [&str; 2] = [OURS, "memplan.copy_dimensions"];

/// Whether a module that was not lowered has a function of that name: the calls may be the program's own.
pub fn is_of_program(module: &Module<'_>) -> bool {
    operations(module).any(|op| symbol_name(op) == OF_MLIR)
}

/// Defines the function in a module that calls MLIR's. Returns the defined names.
pub fn define<'c>(
    translated: &mut LlvmModule<'c>,
    machine: &TargetMachine,
    context: &'c LlvmContext,
) -> Vec<String> {
    if !translated.rename_declared(OF_MLIR, OURS) {
        return Vec::new();
    }
    let mut ours = LlvmModule::parse(TEXT, context).expect("the text is valid LLVM IR");
    machine.set_target(&mut ours);
    translated.link(ours);
    DEFINED.map(str::to_owned).to_vec()
}
