//! Copies of memrefs without rank.
//!
//! MLIR lowers them to calls of a function of its runtime library. An object should need no library, so that the module
//! gets a function of its own. The linker keeps one of all partitions.

use memplan_mlir::{
    ir::{Attribute, Identity, Key, context_of, symbol_name},
    llvm::{LlvmContext, LlvmModule, TargetMachine},
    melior::ir::Module,
    split::{operations, rename, rename_uses},
};
use rustc_hash::FxHashMap;

/// The function of MLIR's runtime library.
const OF_MLIR: &str = "memrefCopy";
/// The function with the same arguments.
const OURS: &str = "memplan.memref_copy";
/// The functions, as LLVM IR.
const TEXT: &str = include_str!("memref_copy.ll");
/// What it defines.
const DEFINED: [&str; 2] = [OURS, "memplan.copy_dimensions"];

/// What the program's own function of MLIR's name is called while the module is lowered.
const OF_PROGRAM: &str = "memplan.program.memrefCopy";
/// The prefix of wrappers for C, which lowering defines.
const WRAPPER: &str = "_mlir_ciface_";

/// Renames the program's own function of MLIR's name, whose type may be another. Returns true if there is one; it is then
/// to be [restored](restore).
pub fn set_aside(module: &Module<'_>) -> bool {
    let has_own = operations(module).any(|op| symbol_name(op) == OF_MLIR);
    if has_own {
        rename_symbols(module, &[(OF_MLIR, OF_PROGRAM)]);
    }
    has_own
}

/// Gives a lowered module the program's own function back. Calls of MLIR's function become calls of ours.
pub fn restore(module: &Module<'_>) {
    let wrapper = |name| format!("{WRAPPER}{name}");
    let (from, to) = (wrapper(OF_PROGRAM), wrapper(OF_MLIR));
    rename_symbols(
        module,
        &[(OF_MLIR, OURS), (OF_PROGRAM, OF_MLIR), (&from, &to)],
    );
}

/// Renames symbols of a module from the first names to the second ones.
fn rename_symbols(module: &Module<'_>, names: &[(&str, &str)]) {
    let new_name = |name: &str| {
        let found = names.iter().find(|(old, _)| *old == name);
        found.map(|(_, new)| *new)
    };
    let mut renamed: FxHashMap<Key, Attribute<'_>> = FxHashMap::default();
    for op in operations(module) {
        let old = symbol_name(op);
        if let Some(new) = new_name(&old) {
            let context = context_of(op);
            let new = context.text(new);
            renamed.insert(context.text(&old).key(), new);
            rename(op, new);
        }
    }
    for op in operations(module) {
        rename_uses(op, |name| renamed.get(&name.key()).copied());
    }
}

/// Defines the function in a module that calls MLIR's; or ours, if the program has one of MLIR's name. Returns the
/// defined names.
pub fn define<'c>(
    translated: &mut LlvmModule<'c>,
    program_has_own: bool,
    machine: &TargetMachine,
    context: &'c LlvmContext,
) -> Vec<String> {
    let called = if program_has_own { OURS } else { OF_MLIR };
    if !translated.rename_declared(called, OURS) {
        return Vec::new();
    }
    let mut ours = LlvmModule::parse(TEXT, context).expect("the text is valid LLVM IR");
    machine.set_target(&mut ours);
    translated.link(ours);
    DEFINED.map(str::to_owned).to_vec()
}
