//! `memplan-reorder`.

pub mod codes;

use crate::{
    merge_alloc,
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-reorder",
    summary: "Reorder the operations of blocks, so that fewer bytes are live at once",
    description: "\
The most bytes that are live at once bound every plan from below, and they depend on the order \
of operations. The pass searches an order of each block that lowers this number. It keeps the \
order if the number falls for the whole function, and the plan, with in-place reuse, does not \
grow. As a result, buffers are filled directly before their use, operations that create little \
memory run late, and operations that end large live ranges run early.

The order respects dependences through values, through memory by any alias, and through state \
outside of the function. Buffers that do not escape are distinguished; arguments, globals and \
escaping memory are not. Assertions and loops that may not end stay in order with each other \
and with visible writes. Operations that they may guard, such as a division or a load, do not \
move before them. Calls, asynchronous, atomic and unregistered operations, and those of unknown \
effects, stay in place.

An operation that touches no other memory than a later one moves directly before that. Then the \
search goes from one moment with few live bytes to the next, and raises the limit if no order \
stays below it. If it finishes, the order is optimal, and the report says so. If it takes more \
than `effort` steps, limits between the proven bound and the best order are tried. \
The order is searched for one value of all dynamic dimensions, 16. It is kept only if it is no worse \
at other values, small and large ones, and where dimensions differ.

When no order needs less in arenas, results count, too: a large one is then computed as late as \
possible. Arenas may take more then, but the function holds less. With arenas that are not on the \
heap, use `results=off`.

Bytes are those of a plan with the same `alignment`, `in-place`, `min-size` and `max-size`, in \
the arenas of the function itself. Arenas of callees (`scope=module`) and of parallel bodies \
(`hoist-parallel`) do not count.

With `report`, the list `orders` of a function has an entry for each block that was examined. \
Its fields are `operations`, `load_before_bytes`, `load_after_bytes`, `lower_bound_bytes` (for \
any order of that block), and `proven`, whether the order is optimal. With dynamic sizes, `dimension` is \
the value of all dimensions for which the bytes are given.",
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
            description: "Effort to search for a better order of a block; a number counts steps \
            of about 50 ns",
            kind: OptionKind::ChoiceOrInteger {
                default: "normal",
                choices: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write the result for each block as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each block: what the new order saves, or why the \
            order stays",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "results",
            description: "Count results, too, from their first use to the end of the function (on), \
            or arenas only (off)",
            kind: OptionKind::Choice {
                default: "on",
                choices: &["on", "off", "arena"],
            },
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
            name: "reordered",
            description: "Reordered blocks",
        },
        StatisticDeclaration {
            name: "proven",
            description: "Blocks with an order that is proven optimal",
        },
    ],
    codes: &[codes::ALL],
    dialects: &[],
    module_only: false,
};
