//! What the pass says of itself.

use super::codes;
use crate::{
    check_tree,
    codes::{NAME_TAKEN, NEEDS_MODULE, REPORT},
};
use memplan_mlir::pass::{
    Declaration, Example, OptionDeclaration, OptionKind, StatisticDeclaration,
};

pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-tree-scan",
    summary: "Put the memory of a bounded program on one stack of known size, path by path",
    description: "\
For functions that are trees of straight lines, as `memplan-treeify` leaves them. Every `memref.alloc` of known size \
becomes a view of one stack. On each path, a buffer is live from its allocation to the last use through any view of it; \
what is not needed on one edge of a branch is free there.

`mode=plain` shares nothing, `mode=scan` gives bytes that are free to what comes, and `mode=defrag` moves buffers as well, \
so that the stack is as high as what is live at once, each size rounded up to the strictest alignment, and no higher. \
A move is code: a `memref.copy` where the places are apart, else a loop that copies words from the end that is not \
overwritten first (marked `memplan.move`). Views of \
what has moved are made again where they are used next. What cannot be made again, such as the result of a call, keeps its \
buffer where it is. So does an address that is taken as a number or cast to what is no memref, if it is of no use behind the \
function: the buffer is pinned, needed to the end of the path or to the deallocation that the program has there, and marked \
`memplan.pinned`. What is pinned may be in the way, and the stack higher than what is live at once; the report counts it \
(`pinned`). An address gets out if it, or what is computed from it, is returned, written to memory that is no allocation of \
the function, freed, or given to what may keep it; a `func.func` without a body keeps nothing. What gets out, and what \
cannot be followed, is left alone. A loop whose turns run in parallel is one step: what it uses is live while it \
runs, and what a turn allocates is left alone, for each worker needs its own. What an asynchronous operation uses is needed \
where it is until control has waited for it on the path; what nobody waits for is left alone.

`fit` says where a value goes that is not moved: `first` the lowest place that holds it, `best` the smallest hole, \
`planner` where a planner puts it that knows all paths at once, which often saves all moves. With `move-budget=N` the \
stack is the lowest for which no path moves more than N bytes.

`values=all` gives every value a place, as if each lived on the stack: a report, and attributes. Nothing is rewritten \
then, nor with `apply=false`, which writes `memplan.offset` (`memplan.offsets`) and `memplan.moves` (first byte before and \
then, and size, in turn) on operations.

With `virtual=true` the program keeps its loops and branches: the same analysis follows all paths and turns without \
writing them out, in time that grows with the ways in which paths differ and not with their number. Nothing moves then; \
what is applied (or written as attributes) is one place for each allocation, if there is one on which all paths agree, and \
else a remark says why nothing is. The report tells what moves would reach, and of at most a thousand paths what each \
costs. Sizes that follow from constants become part of the type first. With `mode=plain`, no two allocations share a byte, on whatever path they are.

The stack is allocated and freed (`arena=alloc`), on the machine's stack (`alloca`), or an argument behind the others \
(`arg`, on a module, for functions that nothing in it uses; `@NAME_arena_size() -> (index, index)` gives size and \
alignment). Each layout is checked before it is written.",
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
            description: "How values share the stack",
            kind: OptionKind::Choice {
                default: "defrag",
                of: &["plain", "scan", "defrag"],
            },
        },
        OptionDeclaration {
            name: "values",
            description: "What gets a place: memory, or every value, as a report",
            kind: OptionKind::Choice {
                default: "buffers",
                of: &["buffers", "all"],
            },
        },
        OptionDeclaration {
            name: "fit",
            description: "Where a value goes that is not moved",
            kind: OptionKind::Choice {
                default: "planner",
                of: &["first", "best", "planner"],
            },
        },
        OptionDeclaration {
            name: "move-budget",
            description: "The most bytes that a path may move, with mode=defrag",
            kind: OptionKind::Level {
                default: "all",
                of: &["all"],
            },
        },
        OptionDeclaration {
            name: "virtual",
            description: "Follow the paths of the program as it is, with its loops and branches",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "apply",
            description: "Rewrite the function; else write places as attributes",
            kind: OptionKind::Flag(true),
        },
        OptionDeclaration {
            name: "arena",
            description: "Where the stack lives",
            kind: OptionKind::Choice {
                default: "alloc",
                of: &["alloc", "alloca", "arg"],
            },
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a buffer, in bytes; 16 where code that is not looked into relies on what malloc gives",
            kind: OptionKind::Integer {
                default: 1,
                min: 1,
                max: 1 << 30,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "effort",
            description: "How hard the planner looks",
            kind: OptionKind::Level {
                default: "normal",
                of: &["quick", "normal", "thorough"],
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
                stands_for: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "A remark at each function, and at each allocation that is left alone",
            kind: OptionKind::Flag(false),
        },
    ],
    statistics: &[
        StatisticDeclaration {
            name: "placed",
            description: "Allocations that got a place on a stack",
        },
        StatisticDeclaration {
            name: "defragmentations",
            description: "How often something is moved to make room, on the worst path of each function",
        },
        StatisticDeclaration {
            name: "moved-bytes",
            description: "Bytes moved, on the worst path of each function",
        },
    ],
    codes: &[codes::ALL, check_tree::codes::ALL, memplan_verify::codes::ALL, &[REPORT, NEEDS_MODULE, NAME_TAKEN]],
    dialects: &["arith", "memref", "scf"],
    module_only: false,
};
