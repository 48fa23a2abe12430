//! `memplan-assign-spaces`.

pub mod codes;

use crate::{
    codes::NEEDS_MODULE,
    merge_alloc,
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// Limits of memory spaces.
pub const BUDGET: OptionDeclaration = OptionDeclaration {
    name: "budget",
    description: "Bytes of each memory space that the function may use, at most those that the machine has",
    kind: OptionKind::List {
        default: "",
        placeholder: "[SPACE:]BYTES",
    },
};

/// The machine.
pub const MACHINE: OptionDeclaration = OptionDeclaration {
    name: "machine",
    description: "Description of the memory spaces of a machine, in TOML: sizes, costs, and where buffers go that do not fit",
    kind: OptionKind::Text {
        default: "",
        placeholder: "FILE",
    },
};

/// Whether faster spaces may be used.
pub const PROMOTE: OptionDeclaration = OptionDeclaration {
    name: "promote",
    description: "Buffers may also be in faster memory spaces than their types say",
    kind: OptionKind::Flag(false),
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-assign-spaces",
    summary: "Assign buffers to memory spaces of limited size, evict and reload them, at the least cost",
    description: "\
A machine has fast memory spaces of limited size, and slower ones. Each buffer is in one of them while an operation uses it. \
Between two uses it may be evicted: copied to a slower space, and copied back before the next use. The pass decides for all \
buffers of a function together, so that each space suffices and the uses and copies cost least. Where the next operation \
overwrites all of a buffer, nothing is copied. A copy in a slower space that is still the same is not written again.

The machine is a file or an attribute, as for `memplan-merge-alloc`: sizes, what reading and writing a byte costs, and which \
space is slower than which. `budget=[SPACE:]BYTES` sets a lower limit. A use costs the bytes of its operand, once for each \
execution of the operation; a loop of unknown trip count counts as ten iterations. Buffers may go from their space to slower ones; \
with `promote=true` also to faster ones: then those used most per byte are in the fastest space.

A buffer can be evicted between operations of the block that allocates it. A buffer with uses on several paths, or in several live \
ranges, stays in one space for life. Operations that do not accept any memory space, such as calls, use their operands in the space that \
the program says. Buffers of dynamic size stay where they are, and do not count.

Prices for bytes of full spaces (Lagrangian relaxation) give a lower bound for the cost, and guide the search; small problems are \
solved exactly. If an operation needs more than a space has, the pass fails at that operation. Plans of the arenas are computed, too: where a plan \
exceeds a limit because of fragmentation, the pass tries again with less.",
    example: Example {
        before: "\
module attributes {memplan.machine = {version = 1, spaces = [
    {name = \"fast\", memory_space = 1, size = 512, slower = \"dram\"},
    {name = \"dram\", memory_space = \"default\", read = 10, write = 10}]}} {
  func.func @f(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
    %b = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
    %c = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
    linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
    return
  }
}",
        after: "\
module attributes {memplan.machine = {version = 1, spaces = [
    {name = \"fast\", memory_space = 1, size = 512, slower = \"dram\"},
    {name = \"dram\", memory_space = \"default\", read = 10, write = 10}]}} {
  func.func @f(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
    %b = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
    %evicted = memref.alloc() : memref<64xf32>
    memref.copy %a, %evicted : memref<64xf32, 1> to memref<64xf32>
    %c = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
    linalg.add ins(%evicted, %c : memref<64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
    return
  }
}",
    },
    options: &[
        BUDGET,
        MACHINE,
        PROMOTE,
        OptionDeclaration {
            name: "search",
            description: "How long to search for cheaper assignments, in steps",
            kind: OptionKind::Choice {
                default: "normal",
                choices: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "points",
            description: "Number of budgets of the first limited memory space at which the report says what a function costs; each \
            takes as long as the search itself",
            kind: OptionKind::Integer {
                default: 0,
                min: 0,
                max: 1000,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write what each function costs as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "curve",
            description: "Write what each function costs at several budgets of the first limited memory space (17, or those of \
            points), and the problem that is solved, as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark for each buffer that is in other memory spaces, and for each function",
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
            name: "assigned",
            description: "Buffers that are in other memory spaces",
        },
        StatisticDeclaration {
            name: "copies",
            description: "Copies between memory spaces",
        },
        StatisticDeclaration {
            name: "bytes",
            description: "Bytes that these copies move",
        },
    ],
    codes: &[codes::ALL, &[NEEDS_MODULE]],
    dialects: &["memref"],
    module_only: false,
};
