//! Errors for operations that the passes did not lower to LLVM.

use crate::{
    codes::{NOT_GENERATED, NOT_LOWERED},
    outcome::{Message, MessageSeverity},
};
use memplan_mlir::{
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, blocks, location_text, operands, ops, regions, results},
    melior::ir::{Module, ValueLike, operation::OperationLike},
    names::flags,
    split::{LlvmForm, llvm_form, operations},
};

/// Reports the outermost operations of a module that MLIR does not translate to LLVM IR. Casts are reported where there
/// is nothing else.
pub fn report(module: &Module<'_>) {
    let (mut left, mut casts) = (Vec::new(), Vec::new());
    for op in operations(module) {
        collect(op, &mut left, &mut casts);
    }
    for op in &left {
        let name = op.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        let text = format!("'{name}' cannot be compiled: no pass lowers it to LLVM");
        Diagnostic::new(NOT_LOWERED, op.location(), text).emit();
    }
    let has_place = |op: &Op<'_>| location_text(op.location()) != "unknown";
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
