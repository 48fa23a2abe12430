//! `memplan-expand-loops`: expands loops of constant trip counts.
//!
//! read (`bounded::size`: the size of the result) -> write (`write`). The only decision is whether the result
//! is small enough.

mod write;

use crate::{
    bounded::size::Sizes,
    codes::INTERNAL,
    counts::Counts,
    failure::{fail, fail_as},
};
use memplan_declarations::expand_loops::{MAX_OPS, codes};
use memplan_mlir::{
    calls,
    diagnostics::Diagnostic,
    ir::Op,
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::Rewritten;
use memplan_semantics::{Semantics, functions};

/// The pass.
pub struct ExpandLoops;

impl Pass for ExpandLoops {
    const DECLARATION: &'static Declaration = &memplan_declarations::expand_loops::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let expanded = Counts::default();
        let rewritten = Rewritten::default();
        let most = run.values.integer(MAX_OPS.name).cast_unsigned();
        let result = functions::visit_all(run.op, |function| {
            expanded.add([rewritten.visit(function, || visit(function, most))?]);
            Ok(())
        });
        expanded.publish(run);
        rewritten.record(run.op);
        result
    }
}

fn visit(function: Op<'_>, most: u64) -> Result<u64, Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(0);
    };
    let mut semantics = Semantics::default();
    // Unstructured loops stay, and so do the loops in them.
    let Ok(size) = Sizes::new(&mut semantics, true).region(body) else {
        let message =
            "memplan-expand-loops: blocks form an unstructured loop; no loop is expanded here";
        Diagnostic::new(codes::CIRCLE, function.location(), message).emit();
        return Ok(0);
    };
    if size.flat.small().is_none_or(|ops| ops > most) {
        let message = format!(
            "memplan-expand-loops: with its loops expanded, the function would have {} \
            operations, more than max-ops={most}",
            size.flat
        );
        return Err(fail(function, codes::TOO_MANY, message));
    }
    write::expand(body, &mut semantics)
        .map_err(|error| fail_as::<ExpandLoops>(function, INTERNAL, error))
}
