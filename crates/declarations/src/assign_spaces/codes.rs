//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    SHORT = "memplan-E125" {
        summary: "A memory space is too small for a function",
        meaning: "Whatever is moved, evicted or placed elsewhere, an operation needs more bytes of the memory space at once than it \
                  has. The error is at the operation, and the notes are at the allocations that it needs there. At a function, \
                  the limits exclude each other, or the search found no assignment; the message says which of the two.",
        advice: "Give the memory space more bytes, or a slower one (`slower` of the [machine](machines.html)). Operations that take \
                 memrefs of one memory space only, such as calls, need their operands there. `memplan-split` makes operations \
                 smaller.",
        example: "memplan-assign-spaces{budget=default:64}" => "\
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}",
    }
    ASSIGNED = "memplan-R417" {
        summary: "A buffer is in other memory spaces than its type had",
        meaning: "With `remarks=true`, at the allocation: its bytes, and its memory spaces one after the other. Between two of them it \
                  is copied, unless its contents are dead.",
        advice: "Nothing. Costs of the memory spaces decide.",
    }
    TOTAL = "memplan-R418" {
        summary: "Copies between memory spaces, and what the buffers of a function cost",
        meaning: "With `remarks=true`, at each function with buffers in other memory spaces: the copies, and the bytes that they move in \
                  a call. Then come the cost of all uses and copies, the lower bound that was proven, and the cost without limits.",
        advice: "If the cost is above the bound, `search=thorough` may find a cheaper assignment.",
    }
}
