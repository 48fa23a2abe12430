//! What the pass says of itself.

use super::{arena_placement::HOMES, codes};
use crate::{
    coalescing::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
    codes::{NAME_TAKEN, NEEDS_MODULE, REPORT},
};
use memplan_mlir::pass::{
    Declaration, Example, OptionDeclaration, OptionKind, StatisticDeclaration,
};
use memplan_planner::Planner;

/// What is not known of callees.
pub const CALLS: OptionDeclaration = OptionDeclaration {
    name: "calls",
    description: "What a callee without a body does with memrefs: borrow those that no other argument can hold, or capture all",
    kind: OptionKind::Choice {
        default: "borrow",
        of: &["borrow", "capture"],
    },
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

Buffers of sizes that only the run knows share slots behind the static part, each as large as the \
largest of its members, computed where the arena is made. Sizes are compared by value bounds. A size \
counts only where its allocation runs, and slots never take more than their members did at one \
moment of the same run, but for rounding up to alignments; `dynamic=skip` leaves them all alone.

What cannot be followed is left alone, with a reason: returned, stored, cast away, handed to an \
operation of unknown effects, and so on. Deallocations of merged allocations go; one that may also \
free something else keeps everything that it may free out of the plan. Input with, without and \
with some deallocations is fine.

The plan is validated before it is written. The arena carries \
`bufferization.manual_deallocation`, so that deallocation passes leave it alone. With `free=false` \
it does not, and the pass that frees it must tell allocations apart by their base: upstream's \
deallocation compares aligned pointers where it decides at run time, and two slices of one arena \
differ there.

Where arenas live, `arena=`:

* `alloc`: on the heap.
* `alloca`: on the stack; an error if the arenas of a function take more than `alloca-limit` bytes. \
Those of a body that runs in parallel get a `memref.alloca_scope` around the body, so that each turn \
gives its bytes back; upstream's convert-scf-to-cf cannot lower structured control flow in there, \
which `hoist-parallel` avoids.
* `global`: a private `memref.global` for each function and memory space. Refused for functions that \
may run twice at a time as far as can be seen: recursive ones, those called in a body that runs in \
parallel, and those that a function without a body or an indirect call may call again: it may call \
what is public or has its address taken, unless it is marked `memplan.nocallback`. That no two \
threads call the function at once is the user's promise.
* `arg`: the function takes each arena as an argument behind the others, also if it is public; so what \
calls it from outside has to pass it. `@NAME_arena_size() -> (index, index)` says how many bytes and \
which alignment (`@NAME_arena_size_SPACE` for other memory spaces; none for private functions, or \
where there is no arena). That the bytes are aligned, and used by one run at a time, is the caller's \
promise. Calls by `func.call` are rewritten: the caller passes a slice of its own arena, or, to a \
function that may be running already, one that it allocates around the call. A function that is \
referred to in another way keeps an arena on the heap, with a warning.

The attribute `memplan.arena_in = \"alloc\"` (or any of these) on a function overrides the option. Only \
`func.func` takes its arena from a global or an argument; other functions, and bodies that run in \
parallel, use the heap then.

With `scope=module`, private functions that are not recursive and only called by `func.call` take \
their arenas as arguments, and callers give them slices of their own, so that a program makes one \
allocation. `arena` says where the others have theirs. `scope=module`, `arena=global` and `arena=arg` \
touch more than one function: the pass has to run on `builtin.module`.

With `hoist-parallel=N`, the arena of an `scf.parallel`, `scf.forall` or `affine.parallel` of at most N turns lies \
in the one around, with a slice for each turn, if bounds and steps follow from constants. A loop that is mapped to \
processors keeps its own.

`memplan.keep` on an allocation leaves it alone; `memplan.offset = N : i64` fixes where it lies in its \
arena (as `analyse-only` writes it). `capacity=SPACE:BYTES` limits each arena of a memory space; over \
it, `spill=SPACE->SPACE` moves the cheapest buffers that are live at the peak (bytes times uses, uses \
in loops as often as the loop turns) if all that uses them takes any memory space: linalg operations, \
loads, stores, copies, transfers, and views. Workgroup attributions of `gpu.func` are left alone.",
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
            kind: OptionKind::Named {
                default: "auto",
                of: Planner::names,
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
        ALIGNMENT,
        OptionDeclaration {
            name: "free",
            description: "Free the arenas on every exit; false leaves that to a later pass",
            kind: OptionKind::Flag(true),
        },
        IN_PLACE,
        OptionDeclaration {
            name: "lifetimes",
            description: "How it is found out when a buffer is live",
            kind: OptionKind::Choice {
                default: "dataflow",
                of: &["dataflow"],
            },
        },
        OptionDeclaration {
            name: "arena",
            description: "Where arenas live: heap, stack, a global, or an argument of the function",
            kind: OptionKind::Choice {
                default: "alloc",
                of: &HOMES,
            },
        },
        OptionDeclaration {
            name: "scope",
            description: "module: private functions get slices of their callers' arenas",
            kind: OptionKind::Choice {
                default: "function",
                of: &["function", "module"],
            },
        },
        OptionDeclaration {
            name: "alloca-limit",
            description: "The most bytes of stack that the arenas of one function may take",
            kind: OptionKind::Integer {
                default: 65536,
                min: 0,
                max: i64::MAX,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "hoist-parallel",
            description: "Hoist the arenas of parallel loops of at most so many turns; 0: none",
            kind: OptionKind::Integer {
                default: 0,
                min: 0,
                max: 1 << 32,
                power_of_two: false,
            },
        },
        MIN_SIZE,
        MAX_SIZE,
        OptionDeclaration {
            name: "capacity",
            description: "How large the arenas of memory spaces may be; the default space is `default`, or 0",
            kind: OptionKind::List {
                default: "",
                stands_for: "SPACE:BYTES",
            },
        },
        OptionDeclaration {
            name: "spill",
            description: "Where the cheapest buffers of a space go when it is over capacity",
            kind: OptionKind::List {
                default: "",
                stands_for: "SPACE->SPACE",
            },
        },
        CALLS,
        OptionDeclaration {
            name: "dynamic",
            description: "Allocations of sizes that only the run knows: share slots by lifetime, or skip them",
            kind: OptionKind::Choice {
                default: "slots",
                of: &["slots", "skip"],
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
    codes: &[codes::ALL, memplan_verify::codes::ALL, &[REPORT, NEEDS_MODULE, NAME_TAKEN]],
    dialects: &["arith", "memref"],
    module_only: false,
};
