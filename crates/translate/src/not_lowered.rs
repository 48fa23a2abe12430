//! Errors for operations that the passes did not lower to LLVM.

use crate::outcome::{Message, MessageSeverity, source_location};
use memplan_declarations::compile::{NOT_GENERATED, NOT_LOWERED};
use memplan_mlir::{
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, blocks, location_text, operands, ops, regions, results},
    melior::ir::{Module, ValueLike, operation::OperationLike},
    names::flags,
    split::{LlvmForm, large_vector, llvm_form, memref_problem, operations},
};
use rustc_hash::FxHashSet;

/// LLVM widens vectors to a power of two, and its code generator counts the elements with 16 bits: code for more is wrong.
const MOST_ELEMENTS: i64 = 1 << 15;

/// Reports the outermost operations of a module that MLIR does not translate to LLVM IR, one at each place. Casts are
/// reported where there is nothing else. Of operations on memrefs that LLVM cannot describe, one is reported for each
/// function.
pub fn report(module: &Module<'_>) {
    let (mut left, mut casts) = (Vec::new(), Vec::new());
    for op in operations(module) {
        let mut here = Vec::new();
        collect(op, &mut here, &mut casts);
        let mut on_memrefs: Vec<(Op<'_>, String)> = Vec::new();
        for nested in here {
            match memref_problem(nested) {
                Some(problem) => on_memrefs.push((nested, problem)),
                None => left.push((nested, NO_PASS.to_owned())),
            }
        }
        left.extend(telling(op, on_memrefs));
    }
    let mut places = FxHashSet::default();
    for (op, why) in &left {
        let name = op.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        let text = format!("'{name}' cannot be compiled: {why}");
        let place = location_text(op.location());
        // Without a place, the name tells operations apart.
        let key = if has_place(op) { place } else { text.clone() };
        if places.insert(key) {
            Diagnostic::new(NOT_LOWERED, op.location(), text).emit();
        }
    }
    let all_are_unknown = !casts.iter().any(has_place);
    casts.retain(|op| left.is_empty() && (all_are_unknown || has_place(op)));
    for op in &casts {
        let types =
            |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(", ");
        let text = format!(
            "cannot be compiled: no pass converts {} to {}",
            types(&mut operands(*op).map(|value| value.r#type().to_string())),
            types(&mut results(*op).map(|value| value.r#type().to_string()))
        );
        Diagnostic::new(NOT_LOWERED, op.location(), text).emit();
    }
}

/// Why most operations are left.
const NO_PASS: &str = "no pass lowers it to LLVM";

fn has_place(op: &Op<'_>) -> bool {
    source_location(&location_text(op.location())).is_some_and(|place| place.line > 0)
}

/// The operation in `root` that tells most about memrefs that LLVM cannot describe: `root` itself, or the first one that
/// is not at its place. Arenas are there.
fn telling<'c>(root: Op<'c>, mut left: Vec<(Op<'c>, String)>) -> Option<(Op<'c>, String)> {
    let place = location_text(root.location());
    let own = left
        .iter()
        .position(|(op, _)| *op == root)
        .or_else(|| {
            left.iter()
                .position(|(op, _)| location_text(op.location()) != place)
        })
        .unwrap_or(0);
    (own < left.len()).then(|| left.swap_remove(own))
}

/// Reports functions with vectors that LLVM's code generator does not take. Returns true if there are none.
pub fn has_no_large_vectors(module: &Module<'_>) -> bool {
    let large = operations(module).filter_map(|op| large_vector(op, MOST_ELEMENTS));
    let reported = large.map(|(op, elements)| {
        let text = format!(
            "cannot be compiled: a vector of {elements} elements is too large, LLVM takes {MOST_ELEMENTS}"
        );
        Diagnostic::new(NOT_GENERATED, op.location(), text).emit();
    });
    reported.count() == 0
}

/// Reports modules in a module that have functions, of any dialect: MLIR leaves them out of LLVM IR. Returns true if there
/// are none.
pub fn has_no_modules(module: &Module<'_>) -> bool {
    fn has_functions(op: Op<'_>) -> bool {
        let nested = regions(op).flat_map(blocks).flat_map(ops);
        let mut nested = nested.map(|op| (op, flags(op)));
        nested
            .any(|(op, flags)| flags.is_function() || flags.is_symbol_table() && has_functions(op))
    }
    let modules =
        operations(module).filter(|op| flags(*op).is_symbol_table() && has_functions(*op));
    let reported = modules.map(|op| {
        let text = "cannot be compiled: it is a module in a module";
        Diagnostic::new(NOT_LOWERED, op.location(), text).emit();
    });
    reported.count() == 0
}

fn collect<'c>(op: Op<'c>, left: &mut Vec<Op<'c>>, casts: &mut Vec<Op<'c>>) {
    match llvm_form(op) {
        LlvmForm::Translated => {}
        LlvmForm::Cast => return casts.push(op),
        LlvmForm::None => return left.push(op),
    }
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        collect(nested, left, casts);
    }
}

/// Adds the id to errors of MLIR, which have none.
pub fn name_errors_of_lowering(messages: &mut [Message]) {
    name_errors(messages, NOT_LOWERED);
}

/// Adds the id to errors of LLVM, which have none.
pub fn name_errors_of_llvm(messages: &mut [Message]) {
    name_errors(messages, NOT_GENERATED);
}

fn name_errors(messages: &mut [Message], code: &Code) {
    for message in messages {
        if message.severity == MessageSeverity::Error && !message.text.contains("[memplan-") {
            message.text = code.message(&message.text);
        }
    }
}
