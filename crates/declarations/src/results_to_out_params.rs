//! `memplan-results-to-out-params`.

use crate::merge_alloc;
use memplan_interface::{Declaration, Example, STATISTICS, StatisticDeclaration};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-results-to-out-params",
    summary: "Private functions write results to memory that their callers allocate",
    description: "\
A result of a private function that is always one buffer of static size, which the function \
allocates, becomes an argument: each caller allocates it before the call. So the plan of the \
caller has it, as if the function was inlined. The argument is marked `memplan.noalias`.

All callers have to be known: only `func.call` may name the function. No argument may be \
donated: `memplan-elide-copies` lets results be these. The buffer may not be \
merged with others, freed or stored, and nothing may assert where it is. It is now allocated \
from the start of the call. Until it is written, its memory holds buffers of the function that \
are dead by then, and no larger. If the function holds more at its peak nonetheless, the result \
stays. So it does if an unknown amount may be held before its allocation. That may be by a call, in memory of dynamic size \
or that is left alone, or in bodies that run in parallel.

Such an argument may be computed in the memory of another one: element by element, or when \
nothing needs that any more. If that is dead after each call, the function has only that one.

The pass works from callees to callers, as the result of a callee may be a result of its \
caller. On a function, it does nothing.",
    example: Example {
        before: "\
func.func private @square(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.mul ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = call @square(%x) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}",
        after: "\
func.func private @square(%x: memref<8xf32>, %r: memref<8xf32> {memplan.noalias}) {
  linalg.mul ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return
}
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  call @square(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}",
    },
    options: &[merge_alloc::CALLS, STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "results",
        description: "Results that became arguments",
    }],
    codes: &[],
    dialects: &["memref"],
    module_only: false,
};
