//! Diagnostics of the pass.

use crate::codes::skip_reasons;
use memplan_interface::codes;

codes! {
    OVER_CAPACITY = "memplan-E101" {
        summary: "An arena is larger than its memory space",
        meaning: "`capacity=[SPACE:]BYTES` limits the arenas of a memory space, and the best plan \
                  that was found exceeds it. Notes name the buffers that are live at the peak, \
                  largest first. If `spill` names the space, notes also name the operations \
                  that keep buffers in it.",
        advice: "Search longer with `effort=thorough`, move buffers to another space with \
                 `spill`, or reduce the live buffers that the notes name. `memplan plot` draws \
                 the peak of a report.",
        example: "memplan-merge-alloc{capacity=default:16}" => "\
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    }
    TOO_LARGE = "memplan-E102" {
        summary: "An arena is larger than offsets can express",
        meaning: "Sizes, alignments and fixed offsets add up to 2^63 bytes or more.",
        advice: "Lower `memplan.offset`, or skip the largest allocations with `max-size`.",
    }
    OFFSET = "memplan-E103" {
        summary: "`memplan.offset` is not an offset",
        meaning: "The attribute fixes the offset of an allocation in its arena. It must be a \
                  non-negative integer and a multiple of the slice's alignment, which is the \
                  larger of the allocation's own and the option `alignment`. Allocations with \
                  the same `memplan.in_place` need the same offset.",
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
        summary: "`memplan.offset` fixes what is not in an arena",
        meaning: "The allocation with the attribute is not merged, for the reason that the \
                  message gives, or has a dynamic size. Or with `state=arena`, the global with the attribute \
                  stays outside the arena.",
        advice: "Remove the attribute, or the cause that keeps the allocation from being \
        merged: see [memplan-R102](memplan-R102.html).",
    }
    OFFSETS_OVERLAP = "memplan-E105" {
        summary: "Two allocations with fixed offsets overlap",
        meaning: "Both have a `memplan.offset`, or offsets of a plan that `plan=FILE` names. \
                  They share bytes, and are live at the same time. The note is at the other \
                  one. Only with the same `memplan.in_place` may they share bytes at an \
                  operation that reads one for the last time and writes the other.",
        advice: "Move one of them, or remove one of the attributes. Make a plan file again.",
    }
    RESERVED = "memplan-E112" {
        summary: "An allocation with a fixed offset is at forbidden addresses",
        meaning: "`memplan.offset`, or a plan that `plan=FILE` names, puts it where the option \
                  `forbid` excludes addresses, or where `state=arena` puts a global.",
        advice: "Move it, or remove the range from `forbid`.",
        example: "memplan-merge-alloc{forbid=0-1KiB}" => "\
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() {memplan.offset = 512 : i64} : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    }
    OVER_LIMIT = "memplan-E113" {
        summary: "A buffer is larger than an arena may be",
        meaning: "`arena-limit` is smaller than the allocation, or than an arena of a callee or of a parallel \
                  body that is placed in an arena. Or it is smaller than an arena that is not divided: callers pass it, or \
                  its memory space has banks. Or the allocation has to end above the limit: its offset is \
                  given, or `forbid` or the state excludes the addresses below.",
        advice: "Raise the limit, or let `max-size` leave such allocations alone.",
    }
    ARENA_IN = "memplan-E106" {
        summary: "`memplan.arena_in` has an invalid value",
        meaning: "The attribute of a function overrides the option `arena`, and takes the same \
        values, as a string.",
        advice: "Correct the attribute, or remove it.",
        example: "memplan-merge-alloc" => "\
func.func @f() attributes {memplan.arena_in = \"heap\"} {
  return
}",
    }
    STACK_LIMIT = "memplan-E107" {
        summary: "The arenas of a function exceed the stack limit",
        meaning: "With `arena=alloca`, all arenas of a function together may take \
        `alloca-limit` bytes.",
        advice: "Raise `alloca-limit` if the stack is large enough, keep the function's arenas \
                 on the heap with `memplan.arena_in = \"alloc\"`, or skip large allocations \
                 with `max-size`.",
    }
    STACK_SCOPE = "memplan-E108" {
        summary: "An arena cannot be on the stack",
        meaning: "`memref.alloca` needs a parent operation with the trait \
                  `AutomaticAllocationScope`, which some functions lack, such as \
                  `ml_program.func`. With `arena=alloca`, each iteration of a parallel body \
                  releases its bytes by a `memref.alloca_scope` in the body. That operation \
                  cannot contain a body of several blocks.",
        advice: "Give the function `memplan.arena_in = \"alloc\"`, or run the pass before control flow is lowered to blocks.",
    }
    GLOBAL_SHARED = "memplan-E109" {
        summary: "Two activations of a function would share its arena in a global",
        meaning: "With `arena=global`, a function has one arena for the life of the program. \
                  This function may be called again before it returns: it is recursive, it is \
                  called in a parallel body, or unknown code may call it. Unknown code is a \
                  function without a body, a callee that is a value, or an operation of \
                  unknown effects. The notes are at the call, and where unknown code may run. With \
                  `share=entry-points`, all public functions have one arena: none may call \
                  another one.",
        advice: "Give the function `memplan.arena_in = \"alloc\"`. If a function without a body, \
                 or an operation, never calls back, mark it `memplan.nocallback`.",
    }
    PLAN_FILE = "memplan-E110" {
        summary: "A plan file cannot be read",
        meaning: "The file that `plan=FILE` names cannot be opened, or is not a report. The message \
                  has the reason. The pass did not run.",
        advice: "Name a file that `report=FILE` wrote.",
        example: "memplan-merge-alloc{plan=/no/such/plan.json}" => "module {}",
    }
    MACHINE = "memplan-E115" {
        summary: "The description of the machine cannot be used",
        meaning: "The file that `machine=FILE` names, or the attribute `memplan.machine`, is not a description of a \
                  machine, or contradicts itself, an option or the program. The message has the line, or the entry. \
                  The pass did not run.",
        advice: "Correct what the message names; [machines](machines.html) has all keys.",
        example: "memplan-merge-alloc{machine=/no/such/machine.toml}" => "module {}",
    }
    BANK = "memplan-E116" {
        summary: "A rule for banks cannot be kept",
        meaning: "`memplan.bank`, `memplan.across_banks` or `memplan.apart` is on what is no allocation that is merged, in a \
                  memory space whose banks are not described, or has a wrong value. Or an operand of an operation with \
                  `memplan.operands_apart` may be memory that is not in the arena of the function, or two operands may be \
                  one buffer. The rules concern the arena of a function, not those of parallel bodies, nor arenas that \
                  callers place.",
        advice: "Describe `banks` in the [machine](machines.html), keep such allocations in the function that has the \
                 arena, or remove the attribute. Where an operand may be one of several buffers, give these a group by \
                 `memplan.apart` instead.",
        example: "memplan-merge-alloc" => "\
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() {memplan.bank = 0 : i64} : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    }
    NO_BANK = "memplan-E117" {
        summary: "No plan keeps the rules of banks",
        meaning: "Each buffer lies in one bank of its memory space, or in those of its attributes, and some must not share a \
                  bank. A buffer is larger than its banks, more buffers have to be apart than there are banks, or no plan was \
                  found in which all of them fit. The message is at the buffer or at the operation that is the reason; \
                  else, notes name the buffers that are live at the peak.",
        advice: "Let large buffers cross with `memplan.across_banks`, remove rules, search longer with `effort=thorough`, or \
                 describe a `slower` memory space, to which buffers move whose allocations have no such attribute.",
        example: "memplan-merge-alloc" => "\
module attributes {memplan.machine = {version = 1, spaces = [
    {name = \"l1\", memory_space = 1, banks = [\"16\", \"16\"]}]}} {
  func.func @f(%x: memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
}",
    }
    UNKNOWN_BANK = "memplan-W102" {
        summary: "Memory may lie across banks",
        meaning: "The memory space has banks, and the function allocates memory there that is in no arena, or in the \
                  arena of one iteration of a parallel body. Such memory may be anywhere. The notes are at the allocations, \
                  with the reasons.",
        advice: "Let the allocations be merged, as [memplan-R102](memplan-R102.html) says. `hoist-parallel` puts arenas of \
                 parallel bodies into that of the function.",
    }
    ALONE = "memplan-W103" {
        summary: "A group of buffers that are apart has one buffer",
        meaning: "`memplan.apart` names a group, and no other allocation of the function in the same memory space is in it.",
        advice: "Give the same name to all allocations that are to be in different banks.",
        example: "memplan-merge-alloc" => "\
module attributes {memplan.machine = {version = 1, spaces = [
    {name = \"l1\", memory_space = 1, size = 64, banks = 2}]}} {
  func.func @f(%x: memref<8xf32>) {
    %a = memref.alloc() {memplan.apart = \"pair\"} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
}",
    }
    MISFIT = "memplan-E111" {
        summary: "A given plan does not fit the program",
        meaning: "A plan that `plan=FILE` names, or that attributes give, is of another program or \
                  of other options. An allocation, a slot of dynamic size or a nested arena is \
                  missing on one side, or differs in type, size or alignment.",
        advice: "Make the plan again, with `report=FILE`, at the same place of the pipeline and with the same options.",
    }
    BOUNDS = "memplan-E114" {
        summary: "Bounds of dimensions do not fit the arguments",
        meaning: "`memplan.bounds` is not one pair `[least, most]` for each dynamic dimension of its argument, or \
                  a pair has no number in it. Or `bounds=` or `shape=` names a dimension that no function has, or a \
                  value of `shape=` is not within the bounds of its dimension.",
        advice: "d0, d1, … are the dynamic dimensions of the arguments of a function, in order. A number that is an \
                 argument has one pair.",
        example: "memplan-merge-alloc" => "func.func @f(%x: memref<?xf32> {memplan.bounds = [[8, 1]]}) { return }",
    }
    OWN_ARENA = "memplan-W101" {
        summary: "A function keeps its own arena instead of an argument",
        meaning: "With `arena=arg`, calls by `func.call` pass one more argument. The function \
                  is also referred to in another way, where the note is, so its type cannot \
                  change. Its arena is on the heap.",
        advice: "Call it by its symbol, or accept the allocation.",
    }
    MERGED = "memplan-R101" {
        summary: "An allocation is merged",
        meaning: "With `remarks=true`: the allocation is now a slice of an arena, at the offset \
                  that the message gives. An allocation of dynamic size shares a slot with \
                  others. *Slots that rotate* are several slices, of which each iteration of a \
                  loop takes one. *In place with another buffer* means that it reuses the bytes \
                  of a buffer whose live range ends where this one begins.",
        advice: "Nothing. `memplan plot` draws the report.",
    }
    LEFT = "memplan-R102" {
        summary: "An allocation is not merged",
        meaning: "With `remarks=true`: the allocation is not changed. The message gives the \
                  reason and its id, which reports use, too.",
        advice: "The message and the list below say how the allocation could be merged.",
        reasons: skip_reasons,
    }
    SPILLED = "memplan-R103" {
        summary: "An allocation moved to another memory space",
        meaning: "Its memory space exceeds the `capacity`, and `spill` says where the cheapest \
                  buffers go. The cheapest ones have the lowest product of bytes and uses; a \
                  use in a loop counts once for each iteration.",
        advice: "Nothing, or raise the capacity.",
    }
    STATE = "memplan-R104" {
        summary: "A global is part of the arena of entry points",
        meaning: "With `state=arena` and `remarks=true`: the program writes the global, and it now lies in the \
                  arena that entry points share, at the offset that the message gives. No buffer uses its bytes.",
        advice: "Nothing. `memplan.offset` on the global gives another offset.",
    }
    STATE_LEFT = "memplan-R105" {
        summary: "A global stays outside the arena of entry points",
        meaning: "With `state=arena` and `remarks=true`: the program may write the global, but it is not part \
                  of the shared arena, for the reason that the message gives.",
        advice: "Make the global private, write its first contents in a function that initializes, or accept \
                 that it has memory of its own.",
    }
}
