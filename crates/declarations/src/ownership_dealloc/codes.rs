//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    UNKNOWN_EFFECTS = "memplan-E301" {
        summary: "An operation has unknown effects on memrefs",
        meaning: "It does not declare its memory effects, so it may free, capture or return its \
                  operands. Operations of unregistered dialects are of that kind.",
        advice: "Let it implement `MemoryEffectOpInterface`, lower it first, or let the \
                 compiler register its effects (`memplan_semantics::register`).",
        example: "memplan-ownership-dealloc" => "\
func.func @f() {
  %a = memref.alloc() : memref<8xf32>
  \"somebody.uses\"(%a) : (memref<8xf32>) -> ()
  return
}",
    }
    TERMINATOR = "memplan-E302" {
        summary: "A terminator forwards memrefs to unknown destinations",
        meaning: "The control flow after it is unknown, so ownership cannot be followed.",
        advice: "Let it implement `BranchOpInterface` or `RegionBranchTerminatorOpInterface`, \
        and its parent `RegionBranchOpInterface`, or lower it first.",
    }
    CONSUMED_WHILE_LIVE = "memplan-E303" {
        summary: "Memory is freed or consumed that may be used later",
        meaning: "The operation frees or consumes memory that some path uses later, or that \
                  another of its operands or one of its results may be. Conditional \
                  deallocations of an earlier deallocation run look like this, too, as they are \
                  not recognized.",
        advice: "Free or pass the memory after its last use, or copy what is used later. Run \
        deallocation only once.",
    }
    CALLER_UNAWARE = "memplan-E304" {
        summary: "Memory of the caller is freed, and the caller cannot be updated",
        meaning: "Callers of a function that frees its argument have to know that, or they free \
                  the memory again. A pass that is scheduled on functions cannot update them.",
        advice: "Schedule the pass on `builtin.module`.",
        example: "func.func(memplan-ownership-dealloc)" => "\
func.func @f(%a: memref<8xf32>) {
  memref.dealloc %a : memref<8xf32>
  return
}",
    }
    MODEL = "memplan-E306" {
        summary: "A model of `BufferDeallocationOpInterface` cannot be followed",
        meaning: "The operation describes its effects by a model of upstream's interface. \
                  Models are used only for operations without regions that are not terminators, \
                  and only if a registered description could express the same effects.",
        advice: "Register the operation (`memplan_semantics::register`), or lower it first.",
    }
    STALE = "memplan-E307" {
        summary: "A function with borrowed results lost results",
        meaning: "`memplan-regions` recorded by index which results of the function or call are \
                  borrowed. Another pass has removed results since, so the indices are wrong.",
        advice: "Run `memplan-dealloc-pipeline` directly after `memplan-regions`, before passes \
        that remove results.",
    }
    REALLOC = "memplan-E308" {
        summary: "`memref.realloc` has to be expanded first",
        meaning: "Whether it frees its operand is known only at run time.",
        advice: "Run `expand-realloc{emit-deallocs=false}` first, as `memplan-dealloc-pipeline` \
        does.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.realloc %a : memref<?xf32> to memref<8xf32>
  return
}",
    }
    CLONE = "memplan-E309" {
        summary: "`bufferization.clone` cannot become a copy",
        meaning: "Each clone becomes a `memref.alloc` and a `memref.copy`. The message says \
                  which property of its type prevents that.",
        advice: "Give the clone a type that can be allocated, as the message says.",
    }
    NO_COPY = "memplan-E310" {
        summary: "A returned memref may not be owned, and cannot be copied",
        meaning: "Callers own returned memrefs, so a memref that the function may not own is \
                  copied. The message says why it cannot be: its type has no copy, or it is an \
                  async value (`!async.value`).",
        advice: "Return memory that the function owns, or give the result a type that can be allocated.",
    }
    MIXED_ALLOCATORS = "memplan-E311" {
        summary: "A memref may be memory of different allocators",
        meaning: "Memory of `gpu.alloc` is freed by `gpu.dealloc`, memory of `memref.alloc` by \
                  `memref.dealloc`. This memref may be either, which is known only at run time, \
                  or it is returned to callers that cannot know. On `builtin.module`, callers \
                  know about device memory that a public function of their module returns on \
                  all paths. They free all other results by `memref.dealloc`.",
        advice: "Free the two separately, or allocate both with the same operation. Return \
                 memory of `memref.alloc`. Schedule the pass on `builtin.module`.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %s : memref<8xf32>
}",
    }
    SIGNATURE = "memplan-E312" {
        summary: "An ownership flag cannot be forwarded",
        meaning: "The owner of the memref differs between paths, so an `i1` has to be forwarded \
                  with it. The operation that forwards it cannot take one more value.",
        advice: "Give all memory that the memref may refer to one owner, for example by copies.",
    }
    NO_PLACE = "memplan-E313" {
        summary: "Memory would have to be freed where no operation can be inserted",
        meaning: "It is dead between two regions of one operation, such as the accumulator of a \
                  reduction whose combining region does not use it.",
        advice: "Use the memory in the next region, too, or avoid it: a reduction that gives \
                 the last value is a loop that carries it.",
    }
    NOT_BORROWED = "memplan-E314" {
        summary: "New memory is returned as borrowed",
        meaning: "Callers do not free a result that is marked `memplan.borrowed`. The function \
                  returns new memory there, which nothing would free.",
        advice: "Remove `memplan.borrowed` from the result: callers free it then.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%x: memref<4xf32>) -> (memref<4xf32> {memplan.borrowed}) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}",
    }
    NOT_FREED = "memplan-W301" {
        summary: "Memory is not freed",
        meaning: "It may be in use for an unknown time. It is stored in other memory, captured \
                  by a callee, or used by an asynchronous operation that is not awaited, or its \
                  address reaches unknown code. Freeing it could be wrong, so it is not freed. \
                  The note is where it escapes. Other causes: it would have to be freed on an \
                  edge of an indirect branch, where no operation can be inserted. The function \
                  calls one that returns flags (`memplan.owned_results`), so it has been \
                  through deallocation already. A `bufferization.dealloc` of the program frees \
                  it under a flag, and nothing frees it otherwise. It is returned by an \
                  indirect call, and the possible callees disagree on who owns the result.",
        advice: "Free it in the program after its last use, or wait on each path for the \
        operation that uses it, where the memref is visible.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%box: memref<memref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %box[] : memref<memref<8xf32>>
  return
}",
    }
    COPIED = "memplan-W302" {
        summary: "A returned memref may not be owned, and is copied then",
        meaning: "Callers own returned memrefs. Memory that the function does not own, such as \
                  an argument, is copied for the caller, who does not see later writes to the \
                  original.",
        advice: "Nothing, if the copy is fine. Otherwise do not return arguments, or let \
                 private functions return ownership flags with \
                 `private-function-dynamic-ownership`.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}",
    }
    PERHAPS_FREED = "memplan-W303" {
        summary: "A function frees an argument, but perhaps not on all paths",
        meaning: "If the program frees the same memory after the call, it is left to the \
                  program: its deallocations stay, and no others are added. Otherwise callers \
                  rely on the callee to free the memory, and it leaks on paths where the callee \
                  does not.",
        advice: "Free it on all paths, or on none, or in the caller where the callee did not.",
    }
    HOLDS_ON = "memplan-W304" {
        summary: "A function may capture memory of the caller, and the caller cannot be updated",
        meaning: "It stores its argument, or returns its address. A pass that is scheduled on \
                  functions cannot update callers, which may free that memory too early.",
        advice: "Schedule the pass on `builtin.module`.",
    }
    ASSUMED_NEW = "memplan-R305" {
        summary: "A function without a body is assumed to return new memory",
        meaning: "It takes memrefs and returns one, and no body shows whether the result is one \
                  of the arguments. Its callers free the result, and the arguments as well: if \
                  both were the same memory, it would be freed twice. Planning assumes that it \
                  may be either.",
        advice: "Mark the result `memplan.owned` if it is new memory. Otherwise give the \
                 function a body, or let it write to memory that the caller passes.",
        example: "memplan-ownership-dealloc" => "\
func.func private @f(memref<8xf32>) -> memref<8xf32>
func.func @g(%a: memref<8xf32>) {
  %b = call @f(%a) : (memref<8xf32>) -> memref<8xf32>
  return
}",
    }
}
