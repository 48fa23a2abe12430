//! What the pass says of itself.

use super::codes;
use crate::codes::REPORT;
use memplan_mlir::pass::{
    Declaration, Example, OptionDeclaration, OptionKind, StatisticDeclaration,
};

pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-regions",
    summary: "Put memory of sizes that only the run knows, and what goes to callers, into regions",
    description: "\
A region is memory that is filled piece by piece and given back at once; `libmemplan_runtime` has them. A function that \
returns memory which it makes takes a region from its caller, as one more argument, and makes it there. What it makes for \
itself goes to a region of its own, which is released at each return. What dies in a turn of a loop is given back by \
that turn; where an `scf.for` or `affine.for` hands on what each turn makes anew, it swaps two regions. Nothing is copied, and \
nothing is freed piece by piece.

Memory is put into a region if nobody frees it and nobody knows of it but memrefs that are followed, through views, \
branches, loops and calls: then it goes with its scope. It is left to `memplan-dealloc-pipeline`, which runs behind, where \
that is not so: where it is stored in memory that others may know of, freed by the program, used by something \
asynchronous that control does not wait for, on each path, before the memory's scope ends, or goes to a callee that is not known; and where a loop would pile it up in a region that stays until the loop is over, as what loops of blocks make, or \
what a turn may hand on instead of what it got, or as the levels of a recursion do whose result may be what one of them makes or \
what the next gives, unless that region is asked for. Known sizes that stay in a function are left to `memplan-merge-alloc`, which runs first.

Calls of functions that are private, or have a body, call a version that takes a region (`NAME_in_region` where the \
function itself has to stay as it is). Public functions, and those that somebody refers to by name, keep their type, and \
give memory that the caller frees; with `public-abi=destination`, public functions take a region, too. What a call gives in \
a region, or lends from its arguments, is nobody's to free: `memplan.borrowed` says so on results of functions, \
`memplan.borrowed_results` on calls of their memrefs in turn (1 where it is lent), and `memplan-ownership-dealloc` keeps to it.

`memplan.single_region` on a function puts its temporaries where its results go, or all into one region; on a loop, it puts \
what dies in a turn into the region around. `single-region=true` says so of all functions.",
    example: Example {
        before: "\
func.func private @squares(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.square ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
func.func @f(%n: index, %x: memref<?xf32>) {
  %y = call @squares(%n, %x) : (index, memref<?xf32>) -> memref<?xf32>
  memref.copy %y, %x : memref<?xf32> to memref<?xf32>
  return
}
",
        after: "\
func.func private @memplan_region_make() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_release(i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>) attributes {llvm.emit_c_interface}
func.func private @squares(%n: index, %x: memref<?xf32>, %region: i64 {memplan.destination}) -> (memref<?xf32> {memplan.borrowed})
    attributes {memplan.regions} {
  %slot = memref.alloca() : memref<memref<?xi8>>
  %c4 = arith.constant 4 : index
  %low, %high = arith.mului_extended %c4, %n : index
  %c0 = arith.constant 0 : index
  %fits = arith.cmpi eq, %high, %c0 : index
  %most = arith.constant -1 : index
  %size = arith.select %fits, %low, %most : index
  %c64 = arith.constant 64 : index
  call @memplan_region_allocate(%region, %size, %c64, %slot) : (i64, index, index, memref<memref<?xi8>>) -> ()
  %bytes = memref.load %slot[] : memref<memref<?xi8>>
  %first = arith.constant 0 : index
  %y = memref.view %bytes[%first][%n] : memref<?xi8> to memref<?xf32>
  linalg.square ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
func.func @f(%n: index, %x: memref<?xf32>) attributes {memplan.regions} {
  %region = call @memplan_region_make() : () -> i64
  %y = call @squares(%n, %x, %region) {memplan.borrowed_results = array<i64: 1>} : (index, memref<?xf32>, i64) -> memref<?xf32>
  memref.copy %y, %x : memref<?xf32> to memref<?xf32>
  call @memplan_region_release(%region) : (i64) -> ()
  return
}
",
    },
    options: &[
        OptionDeclaration {
            name: "sizes",
            description: "What goes to regions, besides what goes to callers: sizes that only the run knows, or all",
            kind: OptionKind::Choice {
                default: "dynamic",
                of: &["dynamic", "all"],
            },
        },
        OptionDeclaration {
            name: "loops",
            description: "Where what dies in a turn of a loop goes: a region that each turn clears, one that is there, behind a \
                          mark, or one that is there, until that goes; auto is a mark if nothing made in the turn \
                          outlives it, else a region",
            kind: OptionKind::Choice {
                default: "auto",
                of: &["auto", "per-iteration", "checkpoint", "enclosing"],
            },
        },
        OptionDeclaration {
            name: "release",
            description: "When memory is given back: with its scope, or behind its last use; auto is the latter where at most \
                          half of what a block makes is needed at once",
            kind: OptionKind::Choice {
                default: "auto",
                of: &["auto", "scope-end", "last-use"],
            },
        },
        OptionDeclaration {
            name: "public-abi",
            description: "Public functions that make what they return keep their type, or take a region",
            kind: OptionKind::Choice {
                default: "keep",
                of: &["keep", "destination"],
            },
        },
        OptionDeclaration {
            name: "single-region",
            description: "Temporaries go where results go, as memplan.single_region says of one function",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "auto",
            description: "What loops make for a turn stays until the function ends, where that is at most 64 KiB",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a buffer, in bytes: at least what malloc gives, as views may count on that",
            kind: OptionKind::Integer {
                default: 64,
                min: 16,
                max: 1 << 20,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write what became of each function as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                stands_for: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "A remark at each allocation: the region that it goes to, or why it is left alone",
            kind: OptionKind::Flag(false),
        },
    ],
    statistics: &[
        StatisticDeclaration {
            name: "regions",
            description: "Regions that functions make",
        },
        StatisticDeclaration {
            name: "placed",
            description: "Allocations that go to regions",
        },
        StatisticDeclaration {
            name: "left",
            description: "Allocations left alone",
        },
    ],
    codes: &[codes::ALL, &[REPORT]],
    dialects: &["arith", "func", "memref"],
    module_only: true,
};
