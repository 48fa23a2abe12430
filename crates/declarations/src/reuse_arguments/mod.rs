//! `memplan-reuse-arguments`.

pub mod codes;

use crate::{
    merge_alloc,
    packing_options::{IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// Whether memory of the caller is used at all.
pub const RESULTS: OptionDeclaration = OptionDeclaration {
    name: "results",
    description: "Let buffers live in memory of the caller (on, or arena), or not (off)",
    kind: OptionKind::Choice {
        default: "on",
        choices: &["on", "off", "arena"],
    },
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-reuse-arguments",
    summary: "Let buffers live in memory of arguments while nothing needs that",
    description: "\
The caller holds the memory of arguments for the whole call. The function needs it from the start, or from where it \
writes all elements, to the last read. Buffers that are live at other times become views of that memory. So they are \
not allocated.

An argument with `memplan.donated`, `jax.buffer_donor` or `tf.aliasing_output` is free after its last read. One with \
`memplan.noalias` or `llvm.noalias`, such as an out-param, is free before the function writes all of it. An argument of a \
private function is free, too, if after each of its calls nothing needs the memory that is passed. It is then marked \
`memplan.donated`. All callers have to be known for that: only `func.call` may name the function.

The memory has to have the element type, the memory space and the alignment of a buffer, and room for it. Buffers begin \
where it begins; those of dynamic size have its shape. They follow each other in time; two may also share bytes in place. First come the buffers that are live \
where most bytes are live, then the largest. Nothing else may refer to the argument: it is not stored, freed or passed to \
asynchronous operations.

On a function, the pass uses the marked arguments alone. With `results=off`, it does nothing.",
    example: Example {
        before: "\
func.func @f(%x: memref<8x8xf32>, %y: memref<8x8xf32> {memplan.noalias}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}",
        after: "\
func.func @f(%x: memref<8x8xf32>, %y: memref<8x8xf32> {memplan.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.exp ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%y, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}",
    },
    options: &[
        RESULTS,
        merge_alloc::CALLS,
        IN_PLACE,
        MIN_SIZE,
        MAX_SIZE,
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each allocation that becomes memory of an argument",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[StatisticDeclaration {
        name: "buffers",
        description: "Buffers that live in arguments",
    }],
    codes: &[codes::ALL],
    dialects: &["memref"],
    module_only: false,
};
