//! The diagnostics of the pass, with their explanations.

use memplan_mlir::codes;

/// Two buffers in the same bytes. The first one is read after a write to the second one.
pub const OVERWRITES: &str = "\
func.func @f(%out: memref<8xf32>) {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  memref.store %x, %b[%c0] : memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}";

codes! {
    OVERWRITTEN = "memplan-E201" {
        summary: "A buffer is read after, or while, another one overwrites its bytes",
        meaning: "Two buffers share bytes of an arena, and on some path the second one is written before the first one is \
                  read for the last time; an older instance of the same buffer counts as another one. The note is at the write.",
        advice: "If the program was changed behind the plan, plan behind the change. If the plan is memplan's and was checked \
                 right away, it is a fault of memplan: report it.",
        example: "memplan-verify" => OVERWRITES,
    }
    BORN_AGAIN = "memplan-E202" {
        summary: "A buffer is born again while an older instance of it may still be read",
        meaning: "The `memref.view` of a buffer is executed again, as in a loop, and takes the same bytes, although a value \
                  of an earlier turn that refers to it is read later. The note is at the read.",
        advice: "If a pass moved views of arenas into a loop, plan behind it.",
    }
    MOVED = "memplan-E203" {
        summary: "A buffer is used where it was before it was moved",
        meaning: "`memplan.move` has copied the buffer to another place of its stack, and what is used behind that still \
                  refers to the old one. The note is at the move.",
        advice: "Use the view of the new place.",
    }
    FREED = "memplan-E204" {
        summary: "A buffer is used after its arena was freed",
        meaning: "On some path, the deallocation at the note comes before the use.",
        advice: "Free the arena behind the last use of all its buffers; `memplan-merge-alloc` does so with `free=true`.",
    }
    PENDING = "memplan-E205" {
        summary: "Bytes are used while something asynchronous may still use them",
        meaning: "What was started at the note goes on when control has passed it, and no wait on this path covers it. \
                  Meanwhile another buffer in the same bytes is used, or the buffer is born again.",
        advice: "Wait for the operation first, or plan behind the change that removed the wait.",
    }
    LEFT = "memplan-E206" {
        summary: "An arena is freed, or its function left, while something asynchronous may still use it",
        meaning: "What was started at the note goes on when control has passed it, and no wait on this path covers it.",
        advice: "Wait for it before the arena goes.",
    }
    ESCAPES = "memplan-E207" {
        summary: "A buffer escapes, but its bytes are the arena's",
        meaning: "It is returned, stored or captured, cast to something that is no memref, or its pointer is taken, so that \
                  it may be used when another buffer has its bytes.",
        advice: "Copy it, or leave its allocation alone with `memplan.keep` and plan again.",
    }
    DEALLOCATED = "memplan-E208" {
        summary: "A buffer is deallocated, but its bytes are the arena's",
        meaning: "A slice is no allocation: only the arena can be freed.",
        advice: "Remove the deallocation. A pass that inserted it behind the plan must tell allocations apart by their base.",
    }
    NOT_DISTINCT = "memplan-E209" {
        summary: "Buffers that share bytes are promised to be distinct",
        meaning: "`memref.distinct_objects` says that its operands never share memory, and the compiler counts on that.",
        advice: "Remove the promise; `memplan-merge-alloc` does so where it merges what the promise is about.",
    }
    PLACE = "memplan-E210" {
        summary: "The place of a buffer cannot be verified",
        meaning: "The number, offset, size or alignment of a view of an arena makes no sense, reaches out of the arena or \
                  into another part of it, or is computed in a way that is not that of memplan. The message says which.",
        advice: "Verify right behind the plan, before other passes change views of arenas.",
    }
    ARENA_USE = "memplan-E211" {
        summary: "An arena is used in a way that cannot be verified",
        meaning: "An arena may be used by views with `memplan.buffer`, by its deallocation, and in choosing the slot of a \
                  buffer that rotates. All else could touch any of its bytes; so could two arenas that are one global.",
        advice: "Verify right behind the plan, and write to buffers, not to arenas.",
    }
    MOVE = "memplan-E212" {
        summary: "A move of a buffer cannot be verified",
        meaning: "What is marked `memplan.move` has to copy all of a buffer, from where it is to the view of its new place, \
                  and read each byte before that is overwritten; and a buffer is at another place only if it was moved there.",
        advice: "Verify right behind `memplan-tree-scan`, before other passes change its moves.",
    }
}
