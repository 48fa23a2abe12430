//! `memplan-merge-results`.

use crate::{merge_alloc, packing_options::ALIGNMENT};
use memplan_interface::{Declaration, Example, STATISTICS, StatisticDeclaration};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-merge-results",
    summary: "Let the results of a public function be parts of one allocation",
    description: "\
The caller of a public function with several results of static size frees each of them. With this pass they are parts of \
one allocation, one for each memory space. The caller frees the first one, which stands for all; the others are marked \
`memplan.borrowed`. It must not free the first one before it has used all of them.

Each result is always one buffer, which the function allocates. The buffer may not be merged with others, freed or stored, \
and nothing may assert where it is. The block is allocated where the first of them was. So it may be held for longer than \
separate results. A function that others of the module call stays as it is: so do private functions.",
    example: Example {
        before: "\
func.func @f(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}",
        after: "\
func.func @f(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32> {memplan.borrowed}) {
  %block = memref.alloc() {alignment = 64 : i64} : memref<96xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %block[%c0][] : memref<96xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %c64 = arith.constant 64 : index
  %b = memref.view %block[%c64][] : memref<96xi8> to memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}",
    },
    options: &[merge_alloc::CALLS, ALIGNMENT, STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "results",
        description: "Results that are parts of a block",
    }],
    codes: &[],
    dialects: &["arith", "memref"],
    module_only: true,
};
