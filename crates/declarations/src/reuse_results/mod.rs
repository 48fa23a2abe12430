//! `memplan-reuse-results`.

pub mod codes;

use crate::{
    merge_alloc,
    packing_options::{IN_PLACE, MAX_SIZE, MIN_SIZE},
    reuse_arguments::RESULTS,
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-reuse-results",
    summary: "Let buffers live in memory of results while nothing needs that",
    description: "\
A result that the function allocates is memory that nothing needs before it is written. Until then, buffers of the \
function live there: they become views of the result, and are not allocated. The result is allocated earlier for that, \
if needed: before the first of these buffers.

A buffer becomes part of a result only where arenas are then smaller, and where the function holds no more of the heap. \
The arena and the results that are allocated earlier take no more than what it held at its peak anyway. What only a \
branch needs does not count there and, with `min-trips=0`, what only a loop needs. So less is possible with arenas on the \
heap than with others (`arena`). In between, no memory of unknown size is allocated: left alone, or of \
bodies that run in parallel. A buffer that lets the result stay where it is costs nothing, and always does.

A result is one buffer, whatever the function returns it from, allocated in the first block. With dynamic sizes, a buffer \
needs the shape of the result, and bytes are compared at a few values of the dimensions. It may not be \
merged with others, freed or stored, and nothing may assert where it is. It has the element type, the memory space and \
the alignment of a buffer, and room for it. Buffers begin where the result begins. They follow each other in time; two \
may also share bytes in place.

With `results=off`, the pass does nothing.",
    example: Example {
        before: "\
func.func @f(%x: memref<8x8xf32>) -> memref<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  return %r : memref<8x8xf32>
}",
        after: "\
func.func @f(%x: memref<8x8xf32>) -> memref<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%r, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>)
  return %r : memref<8x8xf32>
}",
    },
    options: &[
        RESULTS,
        merge_alloc::CALLS,
        merge_alloc::ARENA,
        merge_alloc::MIN_TRIPS,
        IN_PLACE,
        MIN_SIZE,
        MAX_SIZE,
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each allocation that becomes memory of a result",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[StatisticDeclaration {
        name: "buffers",
        description: "Buffers that live in results",
    }],
    codes: &[codes::ALL],
    dialects: &["memref"],
    module_only: false,
};
