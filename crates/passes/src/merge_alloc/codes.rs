//! What the pass says.

use crate::codes::left_alone;
use memplan_mlir::codes;

codes! {
    OVER_CAPACITY = "memplan-E101" {
        summary: "An arena is larger than its memory space",
        meaning: "`capacity=SPACE:BYTES` says how large the arenas of a memory space may be, and the best plan that was found \
                  takes more. Notes name what is live where most bytes are, largest first, and where `spill` names the \
                  space, the operations that keep buffers in it.",
        advice: "Look harder with `effort=thorough`, move buffers to another space with `spill`, or have less live at once: \
                 the notes say what. `memplan plot` draws the peak of a report.",
        example: "memplan-merge-alloc{capacity=default:16}" => "\
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    }
    TOO_LARGE = "memplan-E102" {
        summary: "An arena has more bytes than offsets can tell",
        meaning: "Sizes, alignments and fixed offsets together come to 2^63 bytes or more.",
        advice: "Lower `memplan.offset`, or leave the largest allocations alone with `max-size`.",
    }
    OFFSET = "memplan-E103" {
        summary: "`memplan.offset` is no offset",
        meaning: "The attribute fixes where an allocation lies in its arena. It has to be an integer, not negative, and a \
                  multiple of the slice's alignment, which is the larger of the allocation's own and the option `alignment`.",
        advice: "Correct the attribute, or lower `alignment`.",
        example: "memplan-merge-alloc" => "\
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() {memplan.offset = 32 : i64} : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    }
    OFFSET_UNUSED = "memplan-E104" {
        summary: "`memplan.offset` fixes what has no place in an arena",
        meaning: "The allocation that has the attribute is not merged, for the reason that the message gives, or only the \
                  run knows its size.",
        advice: "Remove the attribute, or what keeps the allocation from being merged: see [memplan-R102](memplan-R102.html).",
    }
    OFFSETS_OVERLAP = "memplan-E105" {
        summary: "Two allocations are fixed over each other",
        meaning: "Both have a `memplan.offset`, share bytes there, and are live at the same time. The note is at the other \
                  one.",
        advice: "Move one of them, or remove one of the attributes.",
    }
    ARENA_IN = "memplan-E106" {
        summary: "`memplan.arena_in` is not a place where arenas live",
        meaning: "The attribute of a function overrides the option `arena`, and takes the same words, as a string.",
        advice: "Correct the attribute, or remove it.",
        example: "memplan-merge-alloc" => "\
func.func @f() attributes {memplan.arena_in = \"heap\"} {
  return
}",
    }
    STACK_LIMIT = "memplan-E107" {
        summary: "The arenas of a function take more of the stack than they may",
        meaning: "With `arena=alloca`, all arenas of a function together may take `alloca-limit` bytes.",
        advice: "Raise `alloca-limit` if the stack is large enough, keep the function's arenas on the heap with \
                 `memplan.arena_in = \"alloc\"`, or leave large allocations alone with `max-size`.",
    }
    STACK_SCOPE = "memplan-E108" {
        summary: "An arena cannot be on the stack",
        meaning: "`memref.alloca` needs an operation around it that is a scope of stack memory, and some that are like functions are \
                  none, such as `ml_program.func`. With `arena=alloca`, the turns of a body that runs in parallel give their bytes back by a \
                  `memref.alloca_scope` around the body. That cannot hold a body of several blocks.",
        advice: "Give the function `memplan.arena_in = \"alloc\"`, or run the pass before control flow is lowered to blocks.",
    }
    GLOBAL_SHARED = "memplan-E109" {
        summary: "Two runs of a function would share its arena in a global",
        meaning: "With `arena=global`, a function has one arena for the life of the program. This function may be called \
                  again before it has returned: it is recursive, called in a body that runs in parallel, or may be called by \
                  something that cannot be looked into. The note is at the call.",
        advice: "Give the function `memplan.arena_in = \"alloc\"`. Where what cannot be looked into never calls back, mark it \
                 `memplan.nocallback`.",
    }
    OWN_ARENA = "memplan-W101" {
        summary: "A function keeps an arena of its own, although it should take one as an argument",
        meaning: "With `arena=arg`, calls by `func.call` pass one argument more. Something refers to the function in another \
                  way, where the note is, so its type cannot change; its arena is on the heap.",
        advice: "Call it by its name, or accept the allocation.",
    }
    MERGED = "memplan-R101" {
        summary: "An allocation is merged",
        meaning: "With `remarks=true`: the allocation is a slice of an arena now, at the offset that the message gives, or \
                  shares a slot with others where only the run knows its size. *Slots that rotate* are several slices, of \
                  which each turn of a loop takes one; *one with another buffer* takes over the bytes of a buffer that ends \
                  as this one begins.",
        advice: "Nothing. `memplan plot` draws the report.",
    }
    LEFT = "memplan-R102" {
        summary: "An allocation is not merged",
        meaning: "With `remarks=true`: the allocation stays as it is. The message gives the reason, in words and by its own \
                  id, which reports have, too.",
        advice: "The message, and the list below, say what would make the allocation mergeable.",
        reasons: left_alone,
    }
    SPILLED = "memplan-R103" {
        summary: "An allocation has moved to another memory space",
        meaning: "The space that it was in is over its `capacity`, and `spill` says where its cheapest buffers go: those of \
                  the fewest bytes times uses, uses in loops as often as these turn.",
        advice: "Nothing, or raise the capacity.",
    }
}
