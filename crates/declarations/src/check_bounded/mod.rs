//! `memplan-check-bounded`.

pub mod codes;

use crate::codes::NEEDS_MODULE;
use memplan_interface::{Declaration, Example, OptionDeclaration, OptionKind};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-check-bounded",
    summary: "Check that programs are bounded: constant trip counts, no recursion; report \
        their expanded size",
    description: "\
A program is bounded if every loop has a constant trip count, no blocks \
form an unstructured loop, no function is recursive, and every callee is bounded and present. \
The pass reports an error at each operation that breaks this; notes follow the calls to an \
unbounded callee. A bound counts as constant if it is computed from constants or from induction \
variables of enclosing loops. If it becomes constant only after inlining or constant \
propagation, the error says so. A function without a body is bounded if it is marked \
`memplan.bounded`.

The pass does not change the program. With `remarks`, it reports the trip count of each loop. \
For each function, it reports the number of paths, and the number of operations after loops are \
expanded (`memplan-expand-loops`) and after code that follows branches is duplicated \
(`memplan-treeify`). The numbers may have any size and are computed without rewriting. A \
condition that becomes constant only after expansion counts as a branch. On a function, calls \
are errors: schedule the pass on the module.",
    example: Example {
        before: "\
func.func @f(%n: index, %m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}",
        after: "\
error: memplan-check-bounded: the trip count of the loop is not constant: its upper bound \
depends on an argument of the function (constant after inlining, if callers pass constants) \
[memplan-E602]",
    },
    options: &[
        OptionDeclaration {
            name: "report",
            description: "Write trip counts and sizes as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each loop and each function, with its numbers",
            kind: OptionKind::Flag(false),
        },
    ],
    statistics: &[],
    codes: &[codes::ALL, &[NEEDS_MODULE]],
    dialects: &[],
    module_only: false,
};
