//! `memplan-regions`.

pub mod codes;
mod reason;

use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

pub use reason::Reason;

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-regions",
    summary: "Put allocations of dynamic size, and those that are returned, into regions",
    description: "\
A region is memory that is allocated from piece by piece and released at once; \
`libmemplan_runtime` implements regions. A function that returns new memory receives a region \
from its caller as an additional argument, and allocates the memory there. Its temporaries are \
in a region of its own, which is released at each return. Memory that dies in an iteration of a \
loop is released by that iteration. If an `scf.for` or `affine.for` carries memory that each \
iteration creates anew, it swaps two regions. Nothing is copied, and nothing is freed piece by \
piece.

An allocation is in a region if nothing frees it, and all memrefs that refer to it are followed \
through views, branches, loops and calls. It is then released with its scope. All other \
allocations are left to `memplan-dealloc-pipeline`, which runs afterwards. They are those that \
are stored in memory that other code may read, those that the program frees, and those that an \
unknown callee receives. An asynchronous operation must not use the memory unless each path \
waits for it before the scope ends. Memory of a loop must not accumulate in a region that is \
released after the loop, unless the program asks for that region. This excludes allocations in \
unstructured loops, and memory that an iteration may forward in place of the memory that it \
received. It also excludes recursion whose result may be the memory of one level or the result \
of the next. Allocations of static size that stay in a function are left to \
`memplan-merge-alloc`, which runs first.

Calls of functions that are private, or have a body, call a version with a region argument \
(`NAME_in_region` if the function itself has to stay unchanged). Public functions, and those \
with other references, keep their type and return memory that the caller frees. With \
`public-abi=destination`, public functions receive a region, too. Results in a region, and \
results that are arguments, are borrowed: callers do not free them. `memplan.borrowed` marks \
such results of functions, and `memplan.borrowed_results` on a call has one number for each \
memref result (1: borrowed). `memplan-ownership-dealloc` respects both.

`memplan.single_region` on a function puts its temporaries into the region of its results, or \
all memory into one region. On a loop, it puts memory that dies in an iteration into the \
enclosing region. `single-region=true` sets it on all functions.",
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
            description: "Allocations in regions, besides those that are returned: of dynamic \
            size, or all",
            kind: OptionKind::Choice {
                default: "dynamic",
                choices: &["dynamic", "all"],
            },
        },
        OptionDeclaration {
            name: "loops",
            description: "Region of memory that dies in a loop iteration: one that each \
                          iteration clears, the enclosing one with a release to a checkpoint, \
                          or without; auto is checkpoint if no memory of the iteration outlives \
                          it, and per-iteration otherwise",
            kind: OptionKind::Choice {
                default: "auto",
                choices: &["auto", "per-iteration", "checkpoint", "enclosing"],
            },
        },
        OptionDeclaration {
            name: "release",
            description: "Release of memory: with its scope, or after its last use; auto \
                          chooses the latter if at most half of the memory of a block is needed \
                          at once",
            kind: OptionKind::Choice {
                default: "auto",
                choices: &["auto", "scope-end", "last-use"],
            },
        },
        OptionDeclaration {
            name: "public-abi",
            description: "Public functions that return new memory keep their type, or receive a \
            region",
            kind: OptionKind::Choice {
                default: "keep",
                choices: &["keep", "destination"],
            },
        },
        OptionDeclaration {
            name: "single-region",
            description: "Put temporaries into the region of results, as memplan.single_region \
            does for one function",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "auto",
            description: "Keep the memory of loop iterations until the function ends, if it is \
            at most 64 KiB",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "alignment",
            description: "Least alignment of a buffer, in bytes: at least that of malloc, as \
            views may rely on it",
            kind: OptionKind::Bytes {
                default: 64,
                min: 16,
                max: 1 << 20,
                power_of_two: true,
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write the regions of each function as JSON to a file; - is standard \
            error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each allocation: its region, or the reason to skip it",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "regions",
            description: "Regions that functions create",
        },
        StatisticDeclaration {
            name: "placed",
            description: "Allocations in regions",
        },
        StatisticDeclaration {
            name: "left",
            description: "Skipped allocations",
        },
    ],
    codes: &[codes::ALL],
    dialects: &["arith", "func", "memref"],
    module_only: true,
};
