//! What the pass says.

use memplan_mlir::codes;

codes! {
    UNKNOWN_EFFECTS = "memplan-E301" {
        summary: "An operation uses memrefs, but does not say how",
        meaning: "It has no memory effects that MLIR can be asked for, so nobody knows whether it frees, keeps or returns \
                  what it is given. Operations of dialects that are not registered are of that kind.",
        advice: "Let it implement `MemoryEffectOpInterface`, lower it before, or let the compiler register what the \
                 operation does (`memplan_semantics::register`).",
        example: "memplan-ownership-dealloc" => "\
func.func @f() {
  %a = memref.alloc() : memref<8xf32>
  \"somebody.uses\"(%a) : (memref<8xf32>) -> ()
  return
}",
    }
    TERMINATOR = "memplan-E302" {
        summary: "An operation ends a block and hands memrefs on, but does not say where to",
        meaning: "Where control and values go from there is not known, so no owner can be followed.",
        advice: "Let it implement `BranchOpInterface` or `RegionBranchTerminatorOpInterface`, and what is around it `RegionBranchOpInterface`, or lower it before.",
    }
    TAKEN = "memplan-E303" {
        summary: "Memory is freed or taken that may be needed behind that",
        meaning: "The operation ends the life of memory which some path uses later, or which another of its operands or one of \
                  its results may be. Conditional frees that an earlier run of deallocation left read like that, too: they are \
                  not read as what they were.",
        advice: "Free or hand over behind the last use, or copy what is used later. Run deallocation once.",
    }
    UNTOLD = "memplan-E304" {
        summary: "Memory of the caller is freed, who is not told of it",
        meaning: "A function that frees what it is given has to be known to its callers, or they free it again. Where the \
                  pass runs on functions, nobody tells them.",
        advice: "Schedule the pass on `builtin.module`.",
        example: "func.func(memplan-ownership-dealloc)" => "\
func.func @f(%a: memref<8xf32>) {
  memref.dealloc %a : memref<8xf32>
  return
}",
    }
    MODEL = "memplan-E306" {
        summary: "A model of `BufferDeallocationOpInterface` cannot be followed",
        meaning: "The operation says by a model of upstream's interface what it does with memory. That is asked of operations \
                  that have no regions and end no block, and what it answers has to be what a description could say, too.",
        advice: "Register the operation (`memplan_semantics::register`), or lower it before.",
    }
    STALE = "memplan-E307" {
        summary: "Results are gone of which some are lent",
        meaning: "`memplan-regions` has said by number which results of the function or call are lent. Another pass has taken \
                  results away since, so the numbers mean nothing any more.",
        advice: "Run `memplan-dealloc-pipeline` behind `memplan-regions`, before passes that take results away.",
    }
    REALLOC = "memplan-E308" {
        summary: "`memref.realloc` has to be expanded first",
        meaning: "It frees or keeps what it is given as only the run knows.",
        advice: "Run `expand-realloc{emit-deallocs=false}` before, as `memplan-dealloc-pipeline` does.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.realloc %a : memref<?xf32> to memref<8xf32>
  return
}",
    }
    CLONE = "memplan-E309" {
        summary: "`bufferization.clone` cannot be written out as a copy",
        meaning: "Each clone becomes a `memref.alloc` and a `memref.copy`. The message says what about its type stands \
                  against that.",
        advice: "Give the clone a type that can be allocated, as the message says.",
    }
    NO_COPY = "memplan-E310" {
        summary: "What may be returned is not the function's, and cannot be copied",
        meaning: "Callers own what functions return, so what may be somebody else's is copied. The message says why this \
                  cannot be: its type has no copy, or it is a memref that is still to come (`!async.value`).",
        advice: "Return memory that the function owns, or give the result a type that can be allocated.",
    }
    MIXED_ALLOCATORS = "memplan-E311" {
        summary: "A memref may be memory of different allocators",
        meaning: "What `gpu.alloc` made is freed by `gpu.dealloc`, and what `memref.alloc` made by `memref.dealloc`. This may \
                  be either, as only the run knows; or it is returned where callers cannot know of it. They know of memory of a \
                  device that a public function of their module returns on all its ways, if the pass runs on `builtin.module`; \
                  all else that they get they free by `memref.dealloc`.",
        advice: "Free the two apart, or allocate both in the same way; return what `memref.alloc` made. Schedule the pass on \
                 `builtin.module`.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %s : memref<8xf32>
}",
    }
    SIGNATURE = "memplan-E312" {
        summary: "A flag that says who frees a memref cannot be handed on",
        meaning: "Whose the memref is differs from way to way, so an `i1` has to go with it, and the operation that hands it \
                  on cannot take one more value.",
        advice: "Let all that the memref may be have one owner, such as by copies.",
    }
    NO_PLACE = "memplan-E313" {
        summary: "Memory would have to be freed where no operation can stand",
        meaning: "It is needed no more between two regions of an operation, such as what a reduction came to before where the \
                  region that reduces uses none of it.",
        advice: "Use the memory in the region that comes next, too, or do without it: a reduction that gives the last value \
                 is a loop that carries it.",
    }
    NOT_BORROWED = "memplan-E314" {
        summary: "New memory is returned as borrowed",
        meaning: "A result that is marked `memplan.borrowed` stays somebody else's, so that callers do not free it. What the \
                  function returns there is memory of its own, which nobody would free.",
        advice: "Remove `memplan.borrowed` from the result: callers free it then.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%x: memref<4xf32>) -> (memref<4xf32> {memplan.borrowed}) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}",
    }
    GIVEN_AWAY = "memplan-W301" {
        summary: "Memory is not freed",
        meaning: "Something may hold on to it for longer than can be seen: it is stored elsewhere, kept by a callee, or used \
                  by something asynchronous that is not awaited, or code that is not seen is given its address. Freeing it could be \
                  wrong, so it stays. The note is where it is handed on. Or it would have to be freed on an edge of a jump by \
                  address, which takes no operation. Or the function calls one that returns flags (`memplan.owned_results`): \
                  then it has been through deallocation, and nothing is added. Or a `bufferization.dealloc` of the program's \
                  own frees it where a flag holds, and nothing does where it does not. Or it is returned by a function that is called as a value, \
                  and not all that this may be say the same of their results.",
        advice: "Free it by the program where nobody needs it any more, or wait on each path for what uses it, where the memory can still be named.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%box: memref<memref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %box[] : memref<memref<8xf32>>
  return
}",
    }
    COPIED = "memplan-W302" {
        summary: "What is returned may not be the function's, and is copied then",
        meaning: "Callers own what functions return. What is somebody else's, such as an argument, is copied for the caller, \
                  who does not see what is written to the original later.",
        advice: "Nothing, if the copy is fine. Else return nothing that is an argument, or let private functions say who owns \
                 what with `private-function-dynamic-ownership`.",
        example: "memplan-ownership-dealloc" => "\
func.func @f(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}",
    }
    PERHAPS_FREED = "memplan-W303" {
        summary: "A function frees memory that it is given, but perhaps not on all ways",
        meaning: "Where the program frees the same memory after the call, it is left to the program, whose deallocations stay: \
                  no others are added. Otherwise callers count on it that the memory is gone, and on paths where it is not freed, \
                  nobody frees it.",
        advice: "Free it on all paths, or on none, or where the callee has not.",
    }
    HOLDS_ON = "memplan-W304" {
        summary: "A function may hold on to memory of the caller, who is not told of it",
        meaning: "It stores what it is given, or returns its address. Where the pass runs on functions, callers do not know, \
                  and may free that memory too early.",
        advice: "Schedule the pass on `builtin.module`.",
    }
    ASSUMED_NEW = "memplan-R305" {
        summary: "A function without a body is taken to return new memory",
        meaning: "It takes memrefs and returns one, and no body shows whether that is one of them. Its callers free what it \
                  returns, and what they passed as well: if it were the same, it would be freed twice. Planning takes it for \
                  either.",
        advice: "Mark the result `memplan.owned` if it is new memory. Else let the function have a body, or write to memory \
                 that it is given.",
        example: "memplan-ownership-dealloc" => "\
func.func private @f(memref<8xf32>) -> memref<8xf32>
func.func @g(%a: memref<8xf32>) {
  %b = call @f(%a) : (memref<8xf32>) -> memref<8xf32>
  return
}",
    }
}
