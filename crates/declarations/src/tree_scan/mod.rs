//! `memplan-tree-scan`.

pub mod codes;

use crate::{
    check_tree,
    codes::{NAME_TAKEN, NEEDS_MODULE, UNBUFFERIZED},
    verify,
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-tree-scan",
    summary: "Plan the memory of a bounded program on one stack of static size, path by path",
    description: "\
For functions whose blocks form a tree, as after `memplan-treeify`. Every `memref.alloc` of \
static size becomes a view of one stack. On each path, a buffer is live from its allocation to \
the last use through any view of it. A buffer that an edge of a branch does not need is free on \
that edge.

`mode=plain` shares no bytes. `mode=scan` reuses free bytes. `mode=defrag` also moves buffers, \
so that the stack is no larger than the bytes that are live at once, with each size rounded up \
to the strictest alignment. If nothing has to move for that, sizes are not rounded up. A move is a `memref.copy` if the two places are disjoint. Otherwise it is \
a loop that copies words, starting at the end that is not overwritten first (marked \
`memplan.move`). Views of a moved buffer are created again before their next use. A value that \
cannot be created again, such as a result of a call, keeps its buffer in place. An address may \
be taken as a number, or cast to a type that is not a memref. It pins its buffer (marked \
`memplan.pinned`) if it is dead after the function returns. A pinned buffer is needed to the \
end of the path, or to its deallocation in the program. Pinned buffers may fragment the stack, \
so that it is larger than the live bytes; the report counts them (`pinned`). An address escapes \
if it, or a value computed from it, is returned, freed, or passed to a callee that may capture \
it. So does one that is written to memory that the function does not allocate. A `func.func` \
without a body captures nothing. Allocations that escape, or that cannot be followed, are \
skipped. A parallel loop is one step: the memory that it uses is live while it runs, and its \
own allocations are skipped, as each worker needs them. Memory that an asynchronous operation \
uses stays in place until the path waits for the operation; memory without a wait is skipped.

`fit` selects the offset of a value that is not moved. `first` takes the lowest free one, and \
`best` the smallest hole. `planner` uses a planner that knows all paths at once, which often \
avoids all moves. With `move-budget=N`, the stack is the smallest for which no path moves more \
than N bytes.

`values=all` assigns an offset to every value, as if each were on the stack, for reports and \
attributes. The program is not rewritten then, nor with `apply=false`, which writes attributes \
on operations: `memplan.offset` (`memplan.offsets`), and `memplan.moves` (old offset, new \
offset and size for each move).

With `virtual=true` the program keeps its loops and branches. The same analysis follows all \
paths and iterations without expanding them; its time grows with the number of different \
states, not of paths. Nothing is moved. If there is one offset for each allocation that is \
valid on all paths, it is applied, or written as attributes; otherwise a remark gives the \
reason. The report shows the stack that moves would reach, and the cost of at most a thousand \
paths. Sizes that are computed from constants become part of the type first. With `mode=plain`, \
no two allocations share a byte, whatever their paths.

The stack is allocated and freed (`arena=alloc`), in stack memory (`alloca`), or an additional \
last argument (`arg`, on a module, for functions without uses in it; `@NAME_arena_size() -> \
(index, index)` returns size and alignment in bytes). Each layout is validated before it is \
written.",
    example: Example {
        before: "\
func.func @f(%x: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8>
  memref.copy %x, %a : memref<64xi8> to memref<64xi8>
  memref.copy %a, %x : memref<64xi8> to memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %x, %b : memref<64xi8> to memref<64xi8>
  memref.copy %b, %x : memref<64xi8> to memref<64xi8>
  return
}
",
        after: "\
func.func @f(%x: memref<64xi8>) {
  %stack = memref.alloc() {alignment = 1 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %stack[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<64xi8>
  memref.copy %x, %a : memref<64xi8> to memref<64xi8>
  memref.copy %a, %x : memref<64xi8> to memref<64xi8>
  %b = memref.view %stack[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<64xi8>
  memref.copy %x, %b : memref<64xi8> to memref<64xi8>
  memref.copy %b, %x : memref<64xi8> to memref<64xi8>
  memref.dealloc %stack {bufferization.manual_deallocation} : memref<64xi8>
  return
}
",
    },
    options: &[
        OptionDeclaration {
            name: "mode",
            description: "How buffers share the stack",
            kind: OptionKind::Choice {
                default: "defrag",
                choices: &["plain", "scan", "defrag"],
            },
        },
        OptionDeclaration {
            name: "values",
            description: "Values with an offset: memory, or every value, as a report",
            kind: OptionKind::Choice {
                default: "buffers",
                choices: &["buffers", "all"],
            },
        },
        OptionDeclaration {
            name: "fit",
            description: "Offset of a value that is not moved",
            kind: OptionKind::Choice {
                default: "planner",
                choices: &["first", "best", "planner"],
            },
        },
        OptionDeclaration {
            name: "move-budget",
            description: "Largest number of bytes that a path may move, with mode=defrag",
            kind: OptionKind::ChoiceOrInteger {
                default: "all",
                choices: &["all"],
            },
        },
        OptionDeclaration {
            name: "virtual",
            description: "Follow the paths of the program without expanding its loops and \
            branches",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "apply",
            description: "Rewrite the function; otherwise write offsets as attributes",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "arena",
            description: "Placement of the stack",
            kind: OptionKind::Choice {
                default: "alloc",
                choices: &["alloc", "alloca", "arg"],
            },
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a buffer, in bytes; 16 if unknown code relies on \
            the alignment of malloc",
            kind: OptionKind::Bytes {
                default: 1,
                min: 1,
                max: 1 << 30,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "effort",
            description: "Effort of the planner",
            kind: OptionKind::ChoiceOrInteger {
                default: "normal",
                choices: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "verify",
            description: "Check the result with memplan-verify",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "report",
            description: "Write layouts and costs as JSON to this file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each function and each skipped allocation",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "placed",
            description: "Allocations on a stack",
        },
        StatisticDeclaration {
            name: "defragmentations",
            description: "Moves on the worst path of each function",
        },
        StatisticDeclaration {
            name: "moved-bytes",
            description: "Bytes moved, on the worst path of each function",
        },
    ],
    codes: &[codes::ALL, check_tree::codes::ALL, verify::codes::ALL, &[NEEDS_MODULE, NAME_TAKEN, UNBUFFERIZED]],
    dialects: &["arith", "memref", "scf"],
    module_only: false,
};
