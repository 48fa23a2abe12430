//! `memplan-recompute`.

pub mod codes;
mod refusal;

pub use refusal::Refusal;

use crate::{
    merge_alloc,
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-recompute",
    summary: "Compute cheap buffers again next to late uses, in place of holding them",
    description: "\
A buffer with an early and a late use is held in between, also where the most bytes are live at once. If its contents are cheap \
to compute, the pass computes them again in a new buffer directly before the late use. Fills, broadcasts, casts, elementwise \
operations and small reductions are cheap. Training networks, long residuals and masks that several layers share have such \
buffers.

The operations that write the buffer are repeated as they are, in their order, with the same operands. So the results are the \
same, bit for bit. Operands must still have the same contents: nothing that may be the same memory is written in between, on any \
path. An operand that is dead by then is held for longer, or is itself computed again, whichever needs less. Operations with \
other effects, with atomic updates, or with `fastmath` flags are not repeated. The copies are in the block of the originals, so \
that they run as often. If the program frees a buffer, the new one and the old one are freed, too.

A buffer is computed again only where the bytes of the plan decrease, with in-place reuse, and where none of the arenas of the \
function grows. With dynamic sizes, the plan is compared at several sizes, as in `memplan-reorder`. `max-recompute` limits \
the innermost iterations that are repeated, in percent of those of the function: each multiplication of a `linalg.matmul` is one. \
A loop of unknown trip count and a dynamic dimension count as 16.

Repeated operations are marked `memplan.recomputed`: they count if the pass runs again. In-place reuse that was impossible because of the late use becomes possible; \
`memplan-elide-copies` and `memplan-reorder` may find more after this pass. Operations in loops over strips stay.",
    example: Example {
        before: "\
func.func @f(%x: memref<64xf32>, %zero: f32, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}",
        after: "\
func.func @f(%x: memref<64xf32>, %zero: f32, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %again = memref.alloc() : memref<64xf32>
  linalg.exp {memplan.recomputed} ins(%x : memref<64xf32>) outs(%again : memref<64xf32>)
  linalg.add ins(%again, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}",
    },
    options: &[
        OptionDeclaration {
            name: "max-recompute",
            description: "Most innermost iterations that are repeated, in percent of those of the function",
            kind: OptionKind::Integer {
                default: 3,
                min: 0,
                max: 1 << 30,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark for each buffer that is computed again, and for buffers that are held at the peak",
            kind: OptionKind::Flag(false),
        },
        merge_alloc::CALLS,
        ALIGNMENT,
        IN_PLACE,
        MIN_SIZE,
        MAX_SIZE,
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "recomputed",
            description: "Late uses for which a buffer is computed again",
        },
        StatisticDeclaration {
            name: "bytes",
            description: "Fewer bytes in the plan",
        },
    ],
    codes: &[codes::ALL],
    dialects: &[],
    module_only: false,
};
