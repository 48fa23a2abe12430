//! For unit tests: a function from text.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::ir::{BlockLike, Module, operation::OperationLike},
};

/// Runs a test on the first function of a module. Diagnostics are not printed.
pub fn with_function<R>(text: &str, test: impl FnOnce(Op<'_>) -> R) -> R {
    let context = with_all_dialects();
    context.attach_diagnostic_handler(|_| true);
    let module = Module::parse(&context, text).expect("the program parses");
    let body = module.body();
    let function: Op<'_> = body.first_operation().expect("a function");
    test(function)
}

/// All operations of this name in a function, in the order of the text.
pub fn named<'c>(function: Op<'c>, name: &str) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    for op in regions(function).flat_map(blocks).flat_map(ops) {
        if op.name().as_string_ref().as_str() == Ok(name) {
            found.push(op);
        }
        found.extend(named(op, name));
    }
    found
}
