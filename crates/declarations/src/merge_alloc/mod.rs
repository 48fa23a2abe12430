//! `memplan-merge-alloc`.

pub mod codes;

use crate::{
    codes::{NAME_TAKEN, NEEDS_MODULE, UNBUFFERIZED},
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
    verify,
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};
use memplan_planner::Planner;

/// Assumption about callees without a body.
pub const CALLS: OptionDeclaration = OptionDeclaration {
    name: "calls",
    description: "How a callee without a body treats memrefs: borrow those that no other \
    argument can store, or capture all; with capture, it may also allocate any amount",
    kind: OptionKind::Choice {
        default: "borrow",
        choices: &["borrow", "capture"],
    },
};

/// Values of the option `arena`.
pub const ARENA_PLACEMENTS: [&str; 4] = ["alloc", "alloca", "global", "arg"];

/// Where arenas are.
pub const ARENA: OptionDeclaration = OptionDeclaration {
    name: "arena",
    description: "Placement of arenas: heap, stack, a global, or an argument of the function",
    kind: OptionKind::Choice {
        default: "alloc",
        choices: &ARENA_PLACEMENTS,
    },
};

/// How often loops run at least.
pub const MIN_TRIPS: OptionDeclaration = OptionDeclaration {
    name: "min-trips",
    description: "How often loops run at least. With 0, no arena is held around a loop that would hold more \
    than the program does without that loop",
    kind: OptionKind::Choice {
        default: "1",
        choices: &["1", "0"],
    },
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-merge-alloc",
    summary: "Plan static allocations: few arenas per scope and memory space, with a slice for \
    each allocation",
    description: "\
Replaces every `memref.alloc` of static size by a slice of an arena, so that buffers that are \
never live at the same time share bytes. A scope is the body of a function, or a parallel body \
(scf.forall, scf.parallel, affine.parallel, gpu.launch, omp). Allocations in other regions \
belong to the enclosing scope. A scope has one arena for each memory space, or several where one \
would hold more than freeing each buffer after its last use. An arena is allocated before \
its first use and freed after its last one. This is in the innermost block that has all uses and \
does not repeat, or in one block before all uses and one after them. So no arena is held in a call, a \
branch or a recursion that needs none of its bytes. Iterations allocate arenas where one that is \
held as long as the loop would be too much, as around a call in the loop. Loops are taken to run at least once unless \
`min-trips=0`, and functions without a body to allocate nothing. With `when-larger=leave`, \
allocations are left alone where an arena could still hold more than they do, each freed after \
its last use; a deallocation pass has to free them.

Live ranges come from dataflow over blocks and regions: from the first touch of a buffer to its \
last possible touch through any alias, on every path. An operation that writes all of a buffer \
and reads none of it ends the live range of the earlier contents. So a buffer that each \
iteration of a loop overwrites is not live from one iteration to the next. With `in-place`, a \
buffer may reuse the bytes of another one. This needs an operation that reads the old buffer \
for the last time and writes all of the new one. It has to do so element by element, as \
linalg.generic does with equal indexing maps. A copy between such buffers is removed. A buffer \
that is loop-carried and still live when it is allocated again has several slots; each \
iteration takes one that no loop-carried value occupies.

Buffers of dynamic size come after the static part of the arena, at offsets that are computed where the \
arena is allocated. Where all sizes are multiples of the same dimensions, they are planned as static sizes are. Else \
each buffer begins at the largest end of those below it, in an order that suits small and large dimensions. A run \
chooses from up to four orders where one is not enough. Or \
buffers share slots, each as large as the largest of its members. Sizes are compared by value bounds. A size counts \
only on paths where its allocation executes. Slots never take more bytes than their members did at one moment of the \
same run, except for alignment; orders take at most 1.1 times as much, at a thousand values of the dimensions. \
Buffers of static size have places among them where the arena is then smaller. `dynamic=skip` skips buffers of dynamic size.

With upper bounds, such buffers take the bytes of their largest size in a static arena. `memplan.bounds` on an argument \
has the least and the largest value of each dynamic dimension, as in `[[1, 8], [1, 512]]`. `bounds=d0<=8,1<=d1<=512` \
sets it: d0, d1, … are the dynamic dimensions of the arguments of a function in order. `bounds=known` also uses what \
the program says: assertions, minima. The function asserts the bounds of its arguments, unless `assert-bounds=false`.

`memref.alloca` is left alone, with a remark, unless `allocas=true`. Its memory then lies in an \
arena as well, at the place that `arena` says.

An allocation that cannot be followed is skipped, with a reason: it is returned, stored, cast \
away, used by an operation of unknown effects, and so on. Deallocations of merged allocations \
are removed. A deallocation that may also free other memory excludes all that it may free from \
the plan. The input may have all, some or none of its deallocations.

The plan is validated before it is written. The arena carries \
`bufferization.manual_deallocation`, so that deallocation passes ignore it. With `free=false` \
it does not, and the pass that frees it must compare allocations by their base. Upstream's \
deallocation compares aligned pointers at run time, which differ between two slices of one \
arena.

Placement of arenas, `arena=`:

* `alloc`: on the heap.
* `alloca`: on the stack. It is an error if the arenas of a function take more than \
`alloca-limit` bytes. A parallel body gets a `memref.alloca_scope`, so that each iteration \
releases its bytes. Upstream's convert-scf-to-cf cannot lower structured control flow in there; \
`hoist-parallel` avoids it.
* `global`: a private `memref.global` for each function and memory space. It is an error for \
functions that may have two activations at once. These are recursive ones, those called in a \
parallel body, and those that unknown code may call: a function without a body, or an indirect \
call. Such a call may reach every function that is public or has its address taken, unless the \
callee is marked `memplan.nocallback`. The user has to make sure that no two threads call the \
function at once.
* `arg`: the function takes each arena as an additional last argument, also if it is public, so \
external callers have to pass it. `@NAME_arena_size() -> (index, index)` returns its size and \
alignment in bytes (`@NAME_arena_size_SPACE` for other memory spaces; none for private \
functions, or without an arena). That includes buffers of dynamic \
size that other arguments determine. `@NAME_arena_size` then takes the dimensions and integer \
arguments that the size depends on, in order. A public function asserts that its arena is large enough, unless \
`assert-size=false`. The caller has to align the memory and use it for one \
activation at a time. Calls by `func.call` are rewritten: the caller passes a slice of its own \
arena. To a function that may be active already, it passes memory that it allocates around the \
call. A function that is referred to in another way keeps an arena on the heap, with a warning.

With `arena=global share=entry-points`, all public functions of a module have one global for each \
memory space, with the bytes of the largest. The user promises that no two of them run at once. \
It is an error if one may call another one. Private functions have their own globals, or slices of \
their callers' with `scope=module`.

With `state=arena`, private `memref.global`s are part of this global if the program may write \
them, and if they start undefined or as zeros. Each lies at the first free address, or at its \
`memplan.offset`. No arena of an entry point uses these bytes, so they keep their contents \
between calls. Other globals stay, with a remark.

The attribute `memplan.arena_in = \"alloc\"` (or another placement) on a function overrides the \
option. Only `func.func` supports globals and arguments. Other functions, and parallel bodies, \
use the heap instead.

With `scope=module`, private functions that are not recursive and only called by `func.call` \
take their arenas as arguments. Callers pass slices of their own arenas, so that a program \
makes one allocation. That includes buffers of dynamic size, unless a caller has its arena on the stack or in a global. `arena` selects the placement of the remaining arenas. `scope=module`, \
`arena=global` and `arena=arg` concern several functions, so the pass has to run on \
`builtin.module`.

With `hoist-parallel=N`, the arena of an `scf.parallel`, `scf.forall` or `affine.parallel` of \
at most N iterations is placed in the enclosing arena. It has a slice for each iteration; \
bounds and steps must be constant. A loop that is mapped to processors keeps its own.

`memplan.keep` on an allocation skips it. `memplan.offset = N : i64` fixes its offset in the \
arena (as `analyse-only` writes it). `capacity=[SPACE:]BYTES` limits the bytes of a \
memory space, or of each. `arena-limit=N` makes several arenas of at most N bytes each, unless callers pass them; buffers of \
dynamic size are skipped then. `forbid=[SPACE:]FROM-TO` keeps addresses free. `memplan.bank`, `memplan.across_banks`, `memplan.apart` and \
`memplan.operands_apart` say which buffers lie in which [banks](machines.html#banks). The arena of a function counts, with those of parallel bodies and, in a module, of \
callees while it is live. If the limit is exceeded, `spill=SPACE->SPACE` moves the cheapest \
buffers that are live at the peak, and moves them on if the other space is exceeded, too. The cheapest ones have the lowest product of bytes and uses; a use in a loop \
counts once for each iteration. All operations that use a moved buffer have to accept any \
memory space: linalg operations, loads, stores, copies, transfers, and views. Workgroup \
attributions of `gpu.func` are skipped.",
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
            description: "Planner that chooses offsets",
            kind: OptionKind::DynamicChoice {
                default: "auto",
                choices: Planner::names,
            },
        },
        OptionDeclaration {
            name: "effort",
            description: "Effort to search for a better plan; a number counts steps of a few ns",
            kind: OptionKind::ChoiceOrInteger {
                default: "normal",
                choices: &["quick", "normal", "thorough"],
            },
        },
        ALIGNMENT,
        OptionDeclaration {
            name: "free",
            description: "Free the arenas after their last uses; false leaves that to a later pass",
            kind: OptionKind::Flag(true),
        },
        IN_PLACE,
        OptionDeclaration {
            name: "lifetimes",
            description: "Analysis that computes live ranges",
            kind: OptionKind::Choice {
                default: "dataflow",
                choices: &["dataflow"],
            },
        },
        ARENA,
        OptionDeclaration {
            name: "scope",
            description: "module: private functions use slices of their callers' arenas",
            kind: OptionKind::Choice {
                default: "function",
                choices: &["function", "module"],
            },
        },
        OptionDeclaration {
            name: "share",
            description: "entry-points: public functions have one arena in a global, the largest; \
            no two of them may run at once",
            kind: OptionKind::Choice {
                default: "none",
                choices: &["none", "entry-points"],
            },
        },
        OptionDeclaration {
            name: "state",
            description: "arena: with share=entry-points, private globals that the program writes lie in the shared \
            arena, at fixed offsets",
            kind: OptionKind::Choice {
                default: "globals",
                choices: &["globals", "arena"],
            },
        },
        OptionDeclaration {
            name: "alloca-limit",
            description: "Largest number of stack bytes for the arenas of one function",
            kind: OptionKind::Bytes {
                default: 65536,
                min: 0,
                max: i64::MAX,
                power_of_two: false,
            },
        },
        MIN_TRIPS,
        OptionDeclaration {
            name: "arena-limit",
            description: "Most bytes of an arena: several are made where one would take more (0: no limit)",
            kind: OptionKind::Bytes {
                default: 0,
                min: 0,
                max: i64::MAX,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "hoist-parallel",
            description: "Hoist the arenas of parallel loops with at most this many iterations; \
            0: none",
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
            description: "Bytes of each memory space, for arenas, allocations that are left alone, and \
            callees; the default space is `default`, or 0",
            kind: OptionKind::List {
                default: "",
                placeholder: "[SPACE:]BYTES",
            },
        },
        OptionDeclaration {
            name: "budget",
            description: "Fewer bytes than the capacity of a memory space, for the same",
            kind: OptionKind::List {
                default: "",
                placeholder: "[SPACE:]BYTES",
            },
        },
        OptionDeclaration {
            name: "forbid",
            description: "Addresses that no buffer may use, TO not among them; buffers of dynamic size \
            are then skipped",
            kind: OptionKind::List {
                default: "",
                placeholder: "[SPACE:]FROM-TO",
            },
        },
        OptionDeclaration {
            name: "when-larger",
            description: "Allocations whose arena could hold more than they would, each freed after \
            its last use: merge them, or leave them to a deallocation pass",
            kind: OptionKind::Choice {
                default: "merge",
                choices: &["merge", "leave"],
            },
        },
        OptionDeclaration {
            name: "spill",
            description: "Memory space for the cheapest buffers of a space that exceeds its \
            capacity",
            kind: OptionKind::List {
                default: "",
                placeholder: "SPACE->SPACE",
            },
        },
        CALLS,
        OptionDeclaration {
            name: "dynamic",
            description: "Allocations of dynamic size: share slots by lifetime, or skip them",
            kind: OptionKind::Choice {
                default: "slots",
                choices: &["slots", "skip"],
            },
        },
        OptionDeclaration {
            name: "assert-size",
            description: "Assert that arguments are as large as the arenas of dynamic size that they are",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "bounds",
            description: "Largest values of d0, d1, …, the dynamic dimensions of the arguments of a function in order; \
            'known' uses what the program says of its numbers. Such buffers take the bytes of their largest size",
            kind: OptionKind::List {
                default: "",
                placeholder: "[FUNCTION:][LEAST<=]dN<=MOST",
            },
        },
        OptionDeclaration {
            name: "shape",
            description: "Values of d0, d1, …, the dynamic dimensions of the arguments of a function in order: the plan \
            is for this shape alone",
            kind: OptionKind::List {
                default: "",
                placeholder: "[FUNCTION:]dN=VALUE",
            },
        },
        OptionDeclaration {
            name: "assert-bounds",
            description: "Assert at the entry of a function that its arguments are within their bounds",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "allocas",
            description: "Merge memref.alloca of static size, too",
            kind: OptionKind::Flag(false),
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
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "machine",
            description: "Description of the memory spaces of a machine, in TOML: sizes, alignments, \
            reserved addresses, costs, and where buffers move that do not fit",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "plan",
            description: "Take the plan from a report of another run, and make none",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "analyse-only",
            description: "Write scope, live ranges and offset on each allocation, and change \
            nothing else; a second run takes the plan from there",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each merged and each skipped allocation",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
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
            description: "Skipped allocations",
        },
    ],
    codes: &[codes::ALL, verify::codes::ALL, &[NEEDS_MODULE, NAME_TAKEN, UNBUFFERIZED]],
    dialects: &["arith", "cf", "memref"],
    module_only: false,
};
