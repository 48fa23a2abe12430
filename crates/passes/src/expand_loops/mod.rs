//! `memplan-expand-loops`: expands loops of constant trip counts.
//!
//! read (`bounded::size`: the size of the result) -> write (`write`). The only decision is whether the result
//! is small enough.

mod codes;
mod write;

use crate::{
    bounded::size::Sizes,
    codes::INTERNAL,
    counts::Counts,
    failure::{fail, fail_as},
};
use memplan_mlir::{
    calls,
    diagnostics::Diagnostic,
    ir::Op,
    melior::ir::operation::OperationLike,
    pass::{
        Declaration, Example, Failed, OptionDeclaration, OptionKind, Pass, Run,
        StatisticDeclaration,
    },
};
use memplan_semantics::Rewritten;
use memplan_semantics::{Semantics, functions};

/// Option that limits the number of operations of a function.
pub const MAX_OPS: OptionDeclaration = OptionDeclaration {
    name: "max-ops",
    description: "Largest number of operations of a function after the pass",
    kind: OptionKind::Integer {
        default: 1_000_000,
        min: 1,
        max: i64::MAX,
        power_of_two: false,
    },
};

/// The pass.
pub struct ExpandLoops;

impl Pass for ExpandLoops {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-expand-loops",
        summary: "Expand loops of constant trip counts",
        description: "\
Every `scf.for` and `affine.for` with constant bounds and step is \
replaced by its iterations, inner loops first. Bounds may be computed from constants and from \
induction variables of enclosing loops, which are constant once those are expanded. \
Loop-carried values become the values of the previous iteration, all at once, so that values \
may be swapped. A loop without iterations gives its initial values. Other loops, and parallel \
loops, stay.

The pass computes the resulting number of operations first. If a function would have more than \
`max-ops`, it is not changed and the error gives the number.",
        example: Example {
            before: "\
func.func @f(%m: memref<2xf32>, %v: f32) {
  affine.for %i = 0 to 2 {
    affine.store %v, %m[%i] : memref<2xf32>
  }
  return
}",
            after: "\
func.func @f(%m: memref<2xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  affine.store %v, %m[%c0] : memref<2xf32>
  %c1 = arith.constant 1 : index
  affine.store %v, %m[%c1] : memref<2xf32>
  return
}",
        },
        options: &[MAX_OPS],
        statistics: &[StatisticDeclaration {
            name: "expanded",
            description: "Expanded loops; an inner loop counts once for each iteration of the \
            outer ones",
        }],
        codes: &[codes::ALL],
        dialects: &["arith"],
        module_only: false,
    };

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
