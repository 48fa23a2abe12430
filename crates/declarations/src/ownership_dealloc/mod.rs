//! `memplan-ownership-dealloc`.

pub mod codes;

use crate::codes::{NEEDS_MODULE, UNBUFFERIZED};
use memplan_interface::{Declaration, Example, OptionDeclaration, OptionKind};

/// The option that lets private functions return ownership flags.
pub const PRIVATE: &str = "private-function-dynamic-ownership";

/// The option that chooses where frees are placed.
pub const PLACEMENT: &str = "placement";

/// The option that only expands clones.
pub const CLONES: &str = "only-clones";

/// The values of [`PLACEMENT`].
pub const PLACEMENTS: [&str; 2] = ["last-use", "block-end"];

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-ownership-dealloc",
    summary: "Free the allocations of a function, after their last use on each path",
    description: "\
Arguments are owned by the caller. Results of calls and returned memrefs \
are owned by the function that receives them. So a function copies a memref that it returns but \
does not own, with a warning.

Memory is freed after its last use on each path through blocks, branches and loops. If its \
owner is known, `memref.dealloc` frees it; this includes buffers that a loop replaces or swaps. \
If the owner is known only at run time, a flag of type `i1` is forwarded with the memref \
through arguments and results, and `bufferization.dealloc` checks it. If a function already has \
a `bufferization.dealloc`, the program owns the memory that it names. Such a function is not \
changed if it frees all other memory, too, as after deallocation.

With `placement=block-end`, memory is freed at the ends of blocks, as \
`ownership-based-buffer-deallocation` does. A `bufferization.dealloc` before the terminator \
takes all memory that the block may own, with a flag for each, and retains the memrefs that are \
forwarded. A `cf.cond_br` has one for each successor. Flags are forwarded as block arguments \
and with the operands and results of regions. Where that is impossible, as between the \
iterations of a reduction, or where an operation consumes memory, deallocations are placed \
after last uses.

A private function need not copy the arguments that it returns if all its calls are known. A \
result that is never new memory is marked `memplan.borrowed`. If a result may be either, the \
function returns flags.

With `private-function-dynamic-ownership`, all private functions return such a flag for each \
memref, after their other results, and copy nothing. The results may then be arguments, and \
later writes to these are visible through them. This requires that all references to the \
function are calls by `func.call`; other functions copy. As all calls change with the function, \
the pass has to run on `builtin.module`. Changed functions and calls are marked \
`memplan.owned_results`, and later runs do not change them.",
    example: Example {
        before: "\
func.func @f(%n: index, %init: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %init, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}",
        after: "\
func.func @f(%n: index, %init: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %init, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %b : memref<8xf32>
}",
    },
    options: &[
        OptionDeclaration {
            name: PRIVATE,
            description: "private functions do not copy results, and return a flag for each \
                              memref that says whether the caller owns it; without the option, \
                              only functions that would copy arguments do",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: PLACEMENT,
            description: "Placement of deallocations: after the last use on each path, or \
                at the ends of blocks",
            kind: OptionKind::Choice {
                default: PLACEMENTS[0],
                choices: &PLACEMENTS,
            },
        },
        OptionDeclaration {
            name: CLONES,
            description: "Replace each bufferization.clone by memref.alloc and memref.copy, \
                              and free nothing: for use before canonicalize, which may replace \
                              a clone by its source although the source is freed",
            kind: OptionKind::Flag(false),
        },
    ],
    statistics: &[],
    codes: &[codes::ALL, &[NEEDS_MODULE, UNBUFFERIZED]],
    dialects: &["arith", "bufferization", "cf", "memref", "scf"],
    module_only: false,
};
