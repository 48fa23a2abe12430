//! What the pass says of itself.

use memplan_mlir::pass::{
    Declaration, Example, OptionDeclaration, OptionKind, StatisticDeclaration,
};
use memplan_planner::Planner;

/// The planners by name.
const PLANNERS: [&str; Planner::ALL.len()] = {
    let mut names = [""; Planner::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Planner::ALL[index].name();
        index += 1;
    }
    names
};

pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-merge-alloc",
    summary: "Plan static allocations: one arena per scope and memory space, slices in place of allocations",
    description: "\
Replaces every `memref.alloc` of known size by a slice of an arena, so that allocations that are \
never needed at the same time share bytes. A scope is the body of a function, or a body that runs \
in parallel (scf.forall, scf.parallel, affine.parallel, gpu.launch, omp); everything else merges \
into the scope around it. A scope gets one arena for each memory space, allocated when it starts \
and freed on every exit.

When a buffer is live follows from dataflow over blocks and regions: from its first touch to its \
last possible touch through any alias, on every path. What writes all of a buffer and reads none of \
it ends the contents that it had: a buffer that each turn of a loop writes anew does not live from one \
turn to the next. Where an operation reads one buffer for the last time and writes all of another \
element by element, as linalg.generic does with equal indexing maps, both are one; a copy from one to \
the other goes (`in-place`). A buffer that is carried around a loop and \
still needed when it is allocated again gets several slots, and each turn takes one that no \
carried value occupies.

What cannot be followed is left alone, with a reason: returned, stored, cast away, handed to an \
operation of unknown effects, and so on. Deallocations of merged allocations go; one that may also \
free something else keeps everything that it may free out of the plan. Input with, without and \
with some deallocations is fine.

The plan is validated before it is written. The arena carries \
`bufferization.manual_deallocation`, so that deallocation passes leave it alone. With `free=false` \
it does not, and the pass that frees it must tell allocations apart by their base: upstream's \
deallocation compares aligned pointers where it decides at run time, and two slices of one arena \
differ there.",
    example: Example {
        before: "\
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
",
        after: "\
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<256xi8>
  return
}
",
    },
    options: &[
        OptionDeclaration {
            name: "planner",
            description: "How offsets are chosen",
            kind: OptionKind::Choice {
                default: "auto",
                of: &PLANNERS,
            },
        },
        OptionDeclaration {
            name: "effort",
            description: "How hard to look for a better plan; a number counts steps of a few ns",
            kind: OptionKind::Level {
                default: "normal",
                of: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a slice, in bytes",
            kind: OptionKind::Integer {
                default: 64,
                min: 1,
                max: 1 << 30,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "free",
            description: "Free the arenas on every exit; false leaves that to a later pass",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "in-place",
            description: "Let a buffer take over the bytes of one that an operation reads for the last time, element by element",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "lifetimes",
            description: "How it is found out when a buffer is live",
            kind: OptionKind::Choice {
                default: "dataflow",
                of: &["dataflow"],
            },
        },
        OptionDeclaration {
            name: "calls",
            description: "What a callee without a body does with memrefs: borrow, or capture",
            kind: OptionKind::Choice {
                default: "borrow",
                of: &["borrow", "capture"],
            },
        },
        OptionDeclaration {
            name: "verify",
            description: "Check the result with memplan-verify",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "report",
            description: "Write the plan as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                stands_for: "FILE",
            },
        },
        OptionDeclaration {
            name: "analyse-only",
            description: "Write scope, live ranges and offset on each allocation, and change nothing else",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "remarks",
            description: "A remark at each merged and each skipped allocation",
            kind: OptionKind::Flag(false),
        },
    ],
    statistics: &[
        StatisticDeclaration {
            name: "merged",
            description: "Allocations merged into arenas",
        },
        StatisticDeclaration {
            name: "arenas",
            description: "Arenas made",
        },
        StatisticDeclaration {
            name: "skipped",
            description: "Allocations left alone",
        },
    ],
    dialects: &["arith", "memref"],
    module_only: false,
};
