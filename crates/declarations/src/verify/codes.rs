//! The diagnostics of the pass, with their explanations.

use memplan_interface::codes;

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

/// A buffer in two banks.
pub const ACROSS: &str = "\
func.func @f(%x: memref<8xf32>) {
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = \"0-32,32-64\"} : memref<64xi8, 1>
  %a = memref.view %arena[%c16][] {memplan.buffer = 0 : i64} : memref<64xi8, 1> to memref<8xf32, 1>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
  memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8, 1>
  return
}";

/// Two buffers in the same bytes of workgroup memory. A slow thread reads the first one while a fast one writes the second.
pub const WITHOUT_BARRIER: &str = "\
gpu.module @kernels {
  gpu.func @f(%x: f32, %y: memref<64xf32>)
      workgroup(%bytes: memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %0 = memref.load %a[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %0, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %1 = memref.load %b[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %1, %y[%t] : memref<64xf32>
    gpu.return
  }
}";

codes! {
    OVERWRITTEN = "memplan-E201" {
        summary: "A buffer is read after, or while, another one overwrites its bytes",
        meaning: "Two buffers share bytes of an arena, and on some path the second one is \
                  written before the last read of the first. An older instance of the same \
                  buffer counts as another one. The note is at the write.",
        advice: "If the program was changed after planning, plan after the change. If the plan \
                 was checked directly, this is an error of memplan: report it.",
        example: "memplan-verify" => OVERWRITES,
    }
    BORN_AGAIN = "memplan-E202" {
        summary: "A buffer is created again while an older instance of it may still be read",
        meaning: "The `memref.view` of a buffer executes again, as in a loop, and takes the \
                  same bytes. A value of an earlier iteration that refers to it is read later. \
                  The note is at the read.",
        advice: "If a pass moved views of arenas into a loop, plan after that pass.",
    }
    MOVED = "memplan-E203" {
        summary: "A buffer is used at its offset before a move",
        meaning: "`memplan.move` copied the buffer to another offset of its stack, and a later \
                  use still refers to the old one. The note is at the move.",
        advice: "Use the view at the new offset.",
    }
    FREED = "memplan-E204" {
        summary: "A buffer is used after its arena was freed",
        meaning: "On some path, the deallocation at the note comes before the use.",
        advice: "Free the arena after the last use of all its buffers; `memplan-merge-alloc` \
        does so with `free=true`.",
    }
    PENDING = "memplan-E205" {
        summary: "Bytes are used while an asynchronous operation may use them",
        meaning: "The operation at the note is asynchronous, and no wait on this path covers \
                  it. Before it is done, another buffer in the same bytes is used, or the \
                  buffer is created again.",
        advice: "Wait for the operation first, or plan after the change that removed the wait.",
    }
    LEFT = "memplan-E206" {
        summary: "An arena is freed, or its function returns, while an asynchronous operation \
        may use it",
        meaning: "The operation at the note is asynchronous, and no wait on this path covers it.",
        advice: "Wait for it before the arena is freed.",
    }
    ESCAPES = "memplan-E207" {
        summary: "A buffer escapes, but its bytes belong to the arena",
        meaning: "It is returned, stored or captured, cast to a type that is not a memref, or \
                  its pointer is extracted. So it may be used when another buffer has its bytes.",
        advice: "Copy it, or mark its allocation `memplan.keep` and plan again.",
    }
    DEALLOCATED = "memplan-E208" {
        summary: "A buffer is deallocated, but its bytes belong to the arena",
        meaning: "A slice is not an allocation: only the arena can be freed.",
        advice: "Remove the deallocation. A pass that inserts deallocations after planning must \
        compare allocations by their base.",
    }
    NOT_DISTINCT = "memplan-E209" {
        summary: "Buffers that share bytes are promised to be distinct",
        meaning: "`memref.distinct_objects` promises that its operands never share memory, and \
        the compiler relies on that.",
        advice: "Remove the operation; `memplan-merge-alloc` does so if it merges its operands.",
    }
    DONATED = "memplan-E213" {
        summary: "A buffer is used after it was donated to a callee, or passed twice",
        meaning: "The callee's argument has `memplan.donated`, or one of JAX's attributes, so the callee may \
                  overwrite its memory. The program reads the buffer afterwards, other than by a result of \
                  the call; or the call passes the same bytes as another argument, too.",
        advice: "Pass a copy, or use the call's result. If the plan was checked directly, this is an error of \
                 memplan: report it.",
    }
    STATE = "memplan-E214" {
        summary: "Buffers and state may share bytes of an arena",
        meaning: "The arena is a global that also has state: bytes that keep their contents between calls. \
                  `memplan.state` on the global, and on all that refers to it, says which bytes these are. A \
                  buffer lies there, or state is accessed through more than a view of these bytes.",
        advice: "Verify directly after planning, and leave the attributes as they are.",
    }
    PASSED_ARENA = "memplan-E215" {
        summary: "Fewer bytes than a function takes are passed to it, or returned by its size function",
        meaning: "A function receives its arena as an argument. Its type says how many bytes of it the function \
                  takes, or the function computes that from other arguments. A call in the module passes fewer, \
                  or `@NAME_arena_size` returns fewer, or another alignment. If sizes are computed, the numbers \
                  in the message are those for some values of what both depend on. The note is where the \
                  function takes the arena.",
        advice: "Pass as many bytes as `@NAME_arena_size` says for the same arguments, and plan again after the \
                 function changes. If the plan was checked directly, this is an error of memplan: report it.",
    }
    OTHER_ROWS = "memplan-E216" {
        summary: "A strip does not do what the operation did before it was split",
        meaning: "`memplan.rows` of an operation in strips says which elements of which buffers it accessed before \
                  `memplan-split`. In some strip it reads or writes others, or rows that are not there yet, or no \
                  longer. Or the strips together leave rows out, or write them twice.",
        advice: "If the strips were changed after `memplan-split`, split after the change. If they were checked directly, \
                 this is an error of memplan: report it.",
    }
    STRIPS = "memplan-E217" {
        summary: "Strips cannot be verified",
        meaning: "A loop with `memplan.strips` has operations without `memplan.rows` that are no copies, its numbers \
                  are not constant, or it has more rows than are followed. The message says which.",
        advice: "Verify directly after `memplan-split`, before other passes change the strips.",
    }
    NO_BARRIER = "memplan-E218" {
        summary: "No barrier separates accesses to buffers in the same bytes",
        meaning: "Two buffers share bytes of the workgroup memory of a kernel. One thread may access one of them while another \
                  thread accesses the other, and one of the two writes. Either a path without a barrier leads from one access \
                  to the other, or both are in divergent control, or an asynchronous copy is in flight. The note is at the other access.",
        advice: "If a barrier was removed after `memplan-merge-workgroup`, run that after the change. If the plan was checked \
                 directly, this is an error of memplan: report it.",
        example: "memplan-verify" => WITHOUT_BARRIER,
    }
    WORKGROUP = "memplan-E219" {
        summary: "Workgroup memory cannot be verified",
        meaning: "A view of the workgroup memory of a kernel leaves it, is not aligned, or has a use that cannot be followed. \
                  Or something else than such views uses the memory. The message says which.",
        advice: "Verify directly after `memplan-merge-workgroup`, before other passes change views of its bytes.",
    }
    BANK = "memplan-E220" {
        summary: "A buffer is in a bank where it may not be",
        meaning: "`memplan.banks` of an arena says where its banks are. A buffer lies across several, in none, or in one that \
                  its `memplan.bank` does not name. Or two buffers share a bank and may not: those of an operation with \
                  `memplan.operands_apart`, or two of a group of `memplan.apart` while both are in use.",
        advice: "If offsets or operands were changed after planning, plan again. If the plan was checked directly, this is an \
                 error of memplan: report it.",
        example: "memplan-verify" => ACROSS,
    }
    PLACE = "memplan-E210" {
        summary: "The offset of a buffer cannot be verified",
        meaning: "The number, offset, size or alignment of a view of an arena is invalid, \
                  exceeds the arena or its part, or is not computed as memplan does. The \
                  message says which.",
        advice: "Verify directly after planning, before other passes change views of arenas.",
    }
    ARENA_USE = "memplan-E211" {
        summary: "An arena has a use that cannot be verified",
        meaning: "An arena may be used by views with `memplan.buffer`, by its deallocation, and \
                  to choose the slot of a rotating buffer. Any other use could access all of \
                  its bytes; so could two arenas in one global.",
        advice: "Verify directly after planning, and write to buffers, not to arenas.",
    }
    MOVE = "memplan-E212" {
        summary: "A move of a buffer cannot be verified",
        meaning: "An operation with `memplan.move` has to copy all of a buffer from its current \
                  offset to the view at its new offset, and read each byte before it overwrites \
                  it. A buffer is at another offset only if it was moved there.",
        advice: "Verify directly after `memplan-tree-scan`, before other passes change its \
        moves.",
    }
}
