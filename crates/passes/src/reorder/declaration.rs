//! What the pass says of itself.

use super::codes;
use crate::{coalescing, codes::REPORT, merge_alloc};
use memplan_mlir::pass::{
    Declaration, Example, OptionDeclaration, OptionKind, StatisticDeclaration,
};

pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-reorder",
    summary: "Put the operations of blocks in an order in which fewer bytes are live at once",
    description: "\
What a plan cannot be below is the most bytes that are live at once, and that depends on the order of operations. The \
pass looks for an order of each block in which this is less, and takes it if it is less for the whole function, and a plan takes no more, with \
buffers in place of others where these end; else everything stays as it is. So buffers are filled right in front of \
their use, what is cheap to make is made late, and what frees much is done early.

What depends on each other stays in order: through values, through memory by any alias, and through what is outside of \
the function. Buffers that nothing else reaches are told apart; arguments, globals, and what has escaped are not. \
Assertions and loops that may never be over stay in order with each other and with writes that others can see, and what \
they may guard, such as a division or a load, does not go in front of them. Calls, what is asynchronous, atomic or of \
unknown effects, and operations that are not registered change places with nothing.

An operation that touches nothing that a later one does not touch goes right in front of that. From there on, the search \
goes from one moment at which few bytes are live to the next, and raises the limit if there is no way below it: where it \
finishes, the order is the best that there is, and the report says so. Where that takes more than `effort` steps, limits \
between what is proven and what was found are tried. Sizes that only the run knows count as if all were alike; that never \
decides alone.

Bytes are those of a plan by the same `alignment`, `in-place`, `min-size` and `max-size`, in the arenas of the function itself, \
without those of its callees (`scope=module`) and of bodies that run in parallel (`hoist-parallel`).

With `report`, each block that was looked at is in the list `orders` of its function: `operations`, `load_before_bytes`, \
`load_after_bytes`, `lower_bound_bytes` (of any order of that block), and whether the order is `proven` to be the best.",
    example: Example {
        before: "\
func.func @f(%v: f32, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}",
        after: "\
func.func @f(%v: f32, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}",
    },
    options: &[
        OptionDeclaration {
            name: "effort",
            description: "How hard to look for a better order of a block; a number counts steps of some 50 ns",
            kind: OptionKind::Level {
                default: "normal",
                of: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write what became of each block as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                stands_for: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "A remark at each block: what another order bought, or why it stays",
            kind: OptionKind::Flag(false),
        },
        merge_alloc::CALLS,
        coalescing::ALIGNMENT,
        coalescing::IN_PLACE,
        coalescing::MIN_SIZE,
        coalescing::MAX_SIZE,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "reordered",
            description: "Blocks whose operations have another order",
        },
        StatisticDeclaration {
            name: "proven",
            description: "Blocks whose order is proven to be the best",
        },
    ],
    codes: &[codes::ALL, &[REPORT]],
    dialects: &[],
    module_only: false,
};
