//! `memplan-expand-loops`.

pub mod codes;

use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

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

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
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
    options: &[MAX_OPS, STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "expanded",
        description: "Expanded loops; an inner loop counts once for each iteration of the \
            outer ones",
    }],
    codes: &[codes::ALL],
    dialects: &["arith"],
    module_only: false,
};
