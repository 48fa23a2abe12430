//! `memplan-treeify`.

pub mod codes;

use crate::expand_loops::MAX_OPS;
use memplan_interface::{Declaration, Example, STATISTICS, StatisticDeclaration};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-treeify",
    summary: "Duplicate the code that follows branches, until the blocks of a function form \
        a tree",
    description: "\
`scf.if`, `scf.index_switch` and `scf.execute_region` become blocks. The \
code that follows them is duplicated for each arm, with the values of that arm in place of the \
results; so is code after blocks that merge. After the pass, no block has several predecessors, \
only the entry block has arguments, and each return ends one path. A branch on a condition that \
is computed from constants takes one path. Run `lower-affine` for `affine.if`, and \
`memplan-expand-loops` for loops.

The number of operations grows with the number of paths. The pass computes it first. If a \
function would have more than `max-ops`, it is not changed and the error gives the number.",
    example: Example {
        before: "\
func.func @f(%c: i1, %a: f32, %b: f32, %m: memref<f32>) {
  %x = scf.if %c -> f32 {
    scf.yield %a : f32
  } else {
    %s = arith.addf %a, %b : f32
    scf.yield %s : f32
  }
  memref.store %x, %m[] : memref<f32>
  return
}",
        after: "\
func.func @f(%c: i1, %a: f32, %b: f32, %m: memref<f32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %a, %m[] : memref<f32>
  return
^bb2:
  %s = arith.addf %a, %b : f32
  memref.store %s, %m[] : memref<f32>
  return
}",
    },
    options: &[MAX_OPS, STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "paths",
        description: "Paths of the functions that were changed",
    }],
    codes: &[codes::ALL],
    dialects: &["arith", "cf"],
    module_only: false,
};
